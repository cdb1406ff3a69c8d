import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Endpoint, fileOf, nameOf } from '../wordpress/endpoints.ts';
import { failure, type Result, type Warn } from '../wordpress/result.ts';
import { originMarkSchema } from '../wordpress/schemas.ts';
import { accept, createSource, type Reader, type Source } from './source.ts';

/** @returns `null` if the file does not exist. */
const readText = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** Names the WordPress of the bundled copy. Written by `npm run content:pull`. */
export const ORIGIN_FILE = 'origin.json';

const normalizeUrl = (address: string) => URL.parse(address)?.href.replace(/\/+$/, '') ?? address;

/**
 * Whether the bundled copy was pulled from this WordPress. A copy of another site, such as the demo, is not used.
 * @param url WordPress' address, as the site calls it.
 */
export function isBundleOf(directory: string, url: string): boolean {
  try {
    const origin = originMarkSchema.parse(JSON.parse(readFileSync(join(directory, ORIGIN_FILE), 'utf8')));
    return origin.addresses.some((address) => normalizeUrl(address) === normalizeUrl(url));
  } catch {
    return false;
  }
}

/**
 * Reads each bundled file once: they change only with a deployment. Missing ones are not remembered, since visitors can
 * request forms of any number. The log names files that cannot be used.
 */
function createBundleReader(directory: string, warn: Warn): Reader {
  const responses = new Map<string, Promise<Result<unknown>>>();

  async function read(endpoint: Endpoint): Promise<Result<unknown>> {
    const file = fileOf(endpoint);
    const unusable = (reason: string) => {
      warn('content.file-unusable', { file, reason });
      return failure('bad response', `bundled ${nameOf(endpoint)}: ${reason}`);
    };
    try {
      const text = await readText(join(directory, file));
      if (text === null) {
        responses.delete(file);
        return failure('bad response', `bundled ${nameOf(endpoint)}: there is no ${file}`);
      }
      const response = accept(endpoint, JSON.parse(text));
      return response.ok ? response : unusable(response.error.message);
    } catch (error) {
      return unusable(error instanceof Error ? error.message : String(error));
    }
  }

  return (endpoint) => {
    const file = fileOf(endpoint);
    const response = responses.get(file) ?? read(endpoint);
    responses.set(file, response);
    return response;
  };
}

/**
 * The bundled copy (R24): files with responses in WordPress' format, written by `npm run content:pull`. Addresses in
 * them are paths of this site.
 */
export const createBundle = (directory: string, warn: Warn): Source =>
  createSource({ read: createBundleReader(directory, warn), home: null, warn });
