import { accept, createSource, type ReadOptions, type Source } from '@pillion/content/sources/source.ts';
import { type AnyResponse, type Client, createClient } from '@pillion/content/wordpress/client.ts';
import { endpointPath } from '@pillion/content/wordpress/endpoints.ts';
import { FIRST_REQUESTED } from '@pillion/content/wordpress/languages.ts';
import { type ContentError, failure, type Result } from '@pillion/content/wordpress/result.ts';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { Finding } from './finding.ts';

/** Facts that the plugin reports about its WordPress (plugins/pillion/src/Site/Diagnostics.php). */
export const factsSchema = z.object({
  plugin: z.string(),
  wordpress: z.string(),
  php: z.string(),
  url: z.string(),
  /** REST address of the block editor. */
  rest: z.string(),
  permalinks: z.string(),
  uploads: z.string(),
  /** Address of a file of a sign-up's folder, which no client may read; `''`: no form takes files. */
  private_file: z.string(),
  /** In bytes. */
  largest_file: z.number(),
  /** In bytes; 0: no limit. */
  largest_post: z.number(),
  rights: z.object({ forms: z.boolean() }),
  gravity_forms: z.object({ version: z.string(), rest: z.boolean() }).nullable(),
  site: z.object({ address: z.string(), is_configured: z.boolean() }),
  /** Texts that neither an editor nor the plugin has in a language of the site. */
  untranslated: z.array(z.object({ name: z.string(), texts: z.array(z.string()) })),
});

export type Facts = z.output<typeof factsSchema>;

export const indexSchema = z.object({
  home: z.string(),
  url: z.string(),
  pillion_uploads: z.array(z.string()).optional().catch(undefined),
  namespaces: z.array(z.string()),
});

export type Index = z.output<typeof indexSchema>;

/** A response with its time. */
export interface Seen extends AnyResponse {
  /** Milliseconds since 1970, halfway between request and response. */
  at: number;
}

export type Wordpress = Extract<Config['content'], { source: 'wordpress' }>;

/** Content that the site's own code left out or could not read. */
export interface Dropped {
  event: string;
  details: Record<string, unknown>;
}

/** Access to WordPress for the checks. Each path is requested once, even if several checks need it. */
export interface Probe {
  config: Config;
  wordpress: Wordpress;
  lang: string;
  /** `facts`: the plugin describes its WordPress. `webhook`: the plugin sends the site a test message. */
  paths: { facts: string; webhook: string };
  client: Client;
  /** The code that reads content for pages, without its cache. */
  source: Source;
  /** Options for each call of `source`: no visitor waits, and nothing is cached. */
  readOptions: ReadOptions;
  /** Content that `source` has left out. */
  dropped: Dropped[];
  look: (path: string) => Promise<Result<Seen>>;
  /** As `look`, but requests it again. */
  lookAgain: (path: string) => Promise<Result<Seen>>;
  /** As `look`, but without the key. */
  lookWithoutKey: (path: string) => Promise<Result<AnyResponse>>;
  /** As `look`. @returns `null` without a response of status 200 that matches the schema. */
  read: <T>(path: string, schema: z.ZodType<T>) => Promise<T | null>;
  /** `null`: no usable WordPress answers. */
  index: () => Promise<Index | null>;
  /** `null`: the plugin did not answer. */
  facts: () => Promise<Facts | null>;
  close: () => void;
}

/** One check with its place in the list. */
export interface Check {
  group: string;
  name: string;
  /** May reject: the doctor then reports that the check failed. */
  run: (probe: Probe) => Promise<Finding | Finding[]>;
}

export const INDEX_PATH = '/wp-json/';
const FACTS_PATH = '/wp-json/pillion/v1/facts';

/** In milliseconds. Longer than for pages, as no visitor waits and a slow WordPress must not look unreachable. */
const DEADLINE_MS = 10_000;

/** Larger than for pages, since the list of a large site's pages must fit. */
const MAX_BYTES = 32_000_000;

/** @param config With WordPress as its source. */
export function createProbe(config: Config): Probe {
  const wordpress = config.content as Wordpress;
  const { url, key, secret } = wordpress;
  const lang = FIRST_REQUESTED;
  const client = createClient({ baseUrl: url, key, secret, timeoutMs: DEADLINE_MS, maxBytes: MAX_BYTES });
  // Every request that can have the language has it (R23).
  const paths = { facts: `${FACTS_PATH}?lang=${lang}`, webhook: `${FACTS_PATH}/webhook?lang=${lang}` };
  const dropped: Dropped[] = [];
  /** By path. */
  const responses = new Map<string, Promise<Result<Seen>>>();

  async function lookAgain(path: string): Promise<Result<Seen>> {
    const sentAt = Date.now();
    const response = await client.fetchAny(path);
    return response.ok ? { ok: true, data: { ...response.data, at: (sentAt + Date.now()) / 2 } } : response;
  }
  function look(path: string) {
    const response = responses.get(path) ?? lookAgain(path);
    responses.set(path, response);
    return response;
  }
  async function read<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
    const seen = await look(path);
    return (seen.ok && seen.data.status === 200 && schema.safeParse(seen.data.data).data) || null;
  }

  const source = createSource({
    read: async (endpoint) => {
      const seen = await look(endpointPath(endpoint));
      if (!seen.ok) return seen;
      const { status, data } = seen.data;
      return status === 200 ? accept(endpoint, data) : failureOfStatus(status);
    },
    home: url,
    warn: (event, details) => dropped.push({ event, details }),
  });

  return {
    config,
    wordpress,
    lang,
    paths,
    client,
    source,
    readOptions: { budget: { remainingMs: () => DEADLINE_MS, urgency: 'page' } },
    dropped,
    look,
    lookAgain,
    lookWithoutKey: (path) => client.fetchAny(path, { isKeyless: true }),
    read,
    index: () => read(INDEX_PATH, indexSchema),
    facts: () => read(paths.facts, factsSchema),
    close: client.close,
  };
}

export const hasPlugin = async (probe: Probe) => (await probe.index())?.namespaces.includes('gusto') ?? false;

const failureOfStatus = (status: number) =>
  failure(status < 500 && status >= 400 ? 'bad request' : 'bad response', `status ${status}`, status);

/** The plugin's error code for an unknown key. It then refuses every call, even public ones. */
export const WRONG_KEY = 'pillion_wrong_key';

/** The error code of WordPress' REST API, such as `rest_no_route`; `''` without an error. */
export const errorCodeOf = ({ data }: Pick<AnyResponse, 'data'>): string =>
  z.object({ code: z.string() }).safeParse(data).data?.code ?? '';

/** The part of an error's message after the path, such as `ECONNREFUSED` or `status 502`. */
export const errorReasonOf = ({ message }: ContentError): string => message.replace(/^\S*: /, '');
