import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileOf, nameOf } from './endpoints.ts';
import type { Warn } from './result.ts';
import { failure, type Result } from './result.ts';
import { accept, createSource, type Reader, type Source } from './source.ts';

async function readAnswer(directory: string, file: string, name: string): Promise<Result<unknown>> {
  try {
    return { ok: true, data: JSON.parse(await readFile(join(directory, file), 'utf8')) };
  } catch (error) {
    return failure('bad response', `bundled ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads the bundle's files, each once: they are part of what was deployed and change with the next deploy. */
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
 * The bundled copies (R24): files that hold what WordPress answers, in WordPress' own shapes, written by
 * `npm run content:pull`. Addresses in them are paths of this site.
 */
export const createBundle = (directory: string, warn: Warn): Source =>
  createSource({ read: bundleReader(directory), home: null, warn });
