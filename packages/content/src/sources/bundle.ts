import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileOf, nameOf } from '../wordpress/endpoints.ts';
import type { Warn } from '../wordpress/result.ts';
import { failure, type Result } from '../wordpress/result.ts';
import { originMarkSchema } from '../wordpress/schemas.ts';
import { accept, createSource, type Reader, type Source } from './source.ts';

async function readAnswer(directory: string, file: string, name: string): Promise<Result<unknown>> {
  try {
    return { ok: true, data: JSON.parse(await readFile(join(directory, file), 'utf8')) };
  } catch (error) {
    return failure('bad response', `bundled ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Names the WordPress of the bundled copy. Written by `npm run content:pull`. */
export const ORIGIN_MARK = 'origin.json';

const sameForm = (address: string) => URL.parse(address)?.href.replace(/\/+$/, '') ?? address;

/**
 * Whether the bundled copy was pulled from this WordPress. A copy of another site, such as the demo, is not used.
 * @param url WordPress' address, as the site calls it.
 */
export function isBundleOf(directory: string, url: string): boolean {
  try {
    const mark = originMarkSchema.parse(JSON.parse(readFileSync(join(directory, ORIGIN_MARK), 'utf8')));
    return mark.addresses.some((address) => sameForm(address) === sameForm(url));
  } catch {
    return false;
  }
}

/** Reads each bundled file once: they change only with a deployment. */
function bundleReader(directory: string): Reader {
  const answers = new Map<string, Promise<Result<unknown>>>();
  return (endpoint) => {
    const file = fileOf(endpoint);
    const known = answers.get(file);
    if (known) return known;
    const answer = readAnswer(directory, file, nameOf(endpoint)).then((read) =>
      read.ok ? accept(endpoint, read.data) : read,
    );
    answers.set(file, answer);
    return answer;
  };
}

/**
 * The bundled copy (R24): files with responses in WordPress' format, written by `npm run content:pull`. Addresses in
 * them are paths of this site.
 */
export const createBundle = (directory: string, warn: Warn): Source =>
  createSource({ read: bundleReader(directory), home: null, warn });
