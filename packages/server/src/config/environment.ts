import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { makeFolder } from '@pillion/lib/make-folder.mjs';
import { secretKeyIn } from '@pillion/lib/secret-key.ts';
import { type Config, readConfig } from './config.ts';

/** Ends the process with status 1. It prints only the sentences, because a stack would hide them. */
export function fail(...sentences: string[]): never {
  for (const sentence of sentences) console.error(sentence);
  process.exit(1);
}

/** Creates the folder if it is missing. A folder that cannot be written ends the process now, not the first sign-up. */
function ensureWritable(directory: string): void {
  try {
    makeFolder(directory);
    accessSync(`${directory}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    fail(`DATA_DIR ${directory} cannot be written (${code}): point DATA_DIR to a folder this user may write to.`);
  }
}

/** Reads the environment. If it is invalid, names all problems and ends the process. */
export function loadConfig(): Config {
  const result = readConfig(process.env);
  if (!result.ok) fail(...result.problems);
  for (const warning of result.warnings) console.warn(warning);
  const config = { ...result.config, dataDirectory: resolve(result.config.dataDirectory) };
  ensureWritable(config.dataDirectory);
  return config;
}

/** The key of the environment, or that of the data folder, which the first start creates. */
export function secretKeyFor({ secretKey, dataDirectory }: Config): string {
  if (secretKey !== null) return secretKey;
  try {
    return secretKeyIn(dataDirectory);
  } catch (error) {
    const { message } = error as Error;
    return fail(`The key in ${dataDirectory}/secret-key cannot be used (${message}): put it back, or set SECRET_KEY.`);
  }
}
