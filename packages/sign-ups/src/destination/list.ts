import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@pillion/content/wordpress/client.ts';
import { PREFIXES } from '@pillion/content/wordpress/endpoints.ts';
import { writeAtomically } from '@pillion/lib/atomic-file.ts';
import { PURPOSES } from '@pillion/lib/consent.ts';
import type { Log } from '@pillion/lib/log.ts';
import { isOnThisMachine, type Reach } from '@pillion/lib/private-networks.ts';
import { isWebhookSecret } from '@pillion/lib/standard-webhooks.ts';
import { z } from 'zod';
import type { Cipher } from '../outbox/cipher.ts';
import type { ListedDestination } from './destinations.ts';

/** Interval and timeout of the requests to WordPress, in milliseconds. */
const REFRESH_INTERVAL_MS = 20_000;
const TIMEOUT_MS = 10_000;

/** The list in the data folder, sealed: it contains secrets. */
const FILE = 'destinations';

/** `https`, or `http` on this machine. */
function isDestinationUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isOnThisMachine(url.hostname));
}

const destinationSchema = z.object({
  id: z.uuid().lowercase(),
  name: z.string().min(1),
  url: z.string().refine(isDestinationUrl),
  secret: z.string().refine(isWebhookSecret),
  purpose: z.enum(['none', ...PURPOSES]),
  /** By id of the form. */
  fields: z.record(z.string(), z.array(z.string())),
  enabled: z.boolean(),
});

/** WordPress' response. Copies are ended only for `removed` ids, so a lost list ends none. */
const responseSchema = z.object({ destinations: z.array(z.unknown()), removed: z.array(z.uuid().lowercase()) });

type List = z.output<typeof responseSchema>;

interface ListOptions {
  dataDirectory: string;
  /** Called only when there is a list. */
  cipher: () => Cipher;
  reach: Reach;
}

/** Leaves out what is invalid. */
const validDestinations = ({ destinations }: List, reach: Reach): ListedDestination[] =>
  destinations.flatMap((one) => {
    const { data } = destinationSchema.safeParse(one);
    if (!data) return [];
    const { enabled: isEnabled, ...valid } = data;
    return { ...valid, isEnabled, reach };
  });

/** The last valid list of WordPress. @returns Empty without a readable file, such as one under an unknown `SECRET_KEY`. */
export function readStoredDestinations({ dataDirectory, cipher, reach }: ListOptions): ListedDestination[] {
  try {
    const sealed = readFileSync(join(dataDirectory, FILE), 'utf8');
    const list = cipher().open(FILE, Buffer.from(sealed, 'base64')).toString('utf8');
    return validDestinations(responseSchema.parse(JSON.parse(list)), reach);
  } catch {
    return [];
  }
}

interface FollowOptions extends ListOptions {
  client: Pick<Client, 'get'>;
  onList: (listed: ListedDestination[]) => void;
  /** Gets the ids of removed destinations, again with each answer: other servers may have stored copies since. */
  onRemoved: (ids: string[]) => Promise<unknown>;
  log: Log;
}

/** @throws Error If WordPress does not answer, or answers something invalid. */
async function fetchList(client: Pick<Client, 'get'>, signal: AbortSignal): Promise<List> {
  const response = await client.get(PREFIXES.destinations, { signal, timeoutMs: TIMEOUT_MS });
  if (!response.ok) throw new Error(response.error.message);
  const parsed = responseSchema.safeParse(response.data);
  // Only the place: the values are secrets.
  if (!parsed.success) throw new Error(`invalid: ${parsed.error.issues[0]?.path.join('.')}`);
  return parsed.data;
}

/**
 * Reads the list from WordPress again and again. While WordPress does not answer, or answers something invalid, the
 * last valid list stays.
 * @returns A function that stops it.
 */
export function followDestinations({
  client,
  onList,
  onRemoved,
  log,
  ...listOptions
}: FollowOptions): () => Promise<void> {
  const stopping = new AbortController();
  /** Events of the steps that failed last time. Each is logged once until the step succeeds. */
  const failing = new Set<string>();
  /** The list in the file, as JSON; empty: unknown. */
  let storedText = '';

  /** @param event Logged if the step fails. @returns `null` if it failed. */
  async function attempt<Value>(event: string, step: () => Promise<Value>): Promise<Value | null> {
    try {
      const value = await step();
      failing.delete(event);
      return value;
    } catch (error) {
      if (!failing.has(event) && !stopping.signal.aborted) log('warn', event, { reason: (error as Error).message });
      failing.add(event);
      return null;
    }
  }

  /** Reads the list once and applies it. A step runs even if the one before it failed, such as on a full disk. */
  async function refresh(): Promise<void> {
    const list = await attempt('destinations not read from WordPress', () => fetchList(client, stopping.signal));
    if (!list) return;
    const listed = validDestinations(list, listOptions.reach);
    await attempt('destinations not used', async () => onList(listed));
    await attempt('destinations not stored', () => storeIfChanged(list, listed.length));
    await attempt('removed destinations not ended', async () => list.removed.length > 0 && onRemoved(list.removed));
  }

  /** @param count Number of valid destinations. */
  async function storeIfChanged(list: List, count: number): Promise<void> {
    const text = JSON.stringify(list);
    if (text === storedText) return;
    const sealed = Buffer.from(listOptions.cipher().seal(FILE, text)).toString('base64');
    await writeAtomically(join(listOptions.dataDirectory, FILE), sealed);
    storedText = text;
    const invalid = list.destinations.length - count;
    log(invalid > 0 ? 'warn' : 'info', 'destinations read', { count, invalid });
  }

  let refreshing: Promise<void> | null = null;
  /** Starts a refresh, unless one is running. */
  function refreshOnce(): void {
    refreshing ??= refresh().finally(() => {
      refreshing = null;
    });
  }
  const timer = setInterval(refreshOnce, REFRESH_INTERVAL_MS).unref();
  refreshOnce();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await refreshing;
  };
}
