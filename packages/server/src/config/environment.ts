import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { makeFolder } from '@pillion/lib/make-folder.mjs';
import { secretKeyIn } from '@pillion/lib/secret-key.ts';
import { type Config, readConfig } from './config.ts';

/** Ends the process with one clear sentence; a stack would only bury it. */
export function fail(...sentences: string[]): never {
  for (const sentence of sentences) console.error(sentence);
  process.exit(1);
}

/** Creates the folder where it is missing, so that the first sign-up does not meet a folder that cannot be written. */
function ensureWritable(directory: string): void {
  try {
    makeFolder(directory);
    accessSync(`${directory}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    fail(`DATA_DIR ${directory} cannot be written (${code}): point DATA_DIR to a folder this user may write to.`);
  }
}

/** Reads the environment or ends the process, naming everything that is wrong with it. */
export function loadConfig(): Config {
  const result = readConfig(process.env);
  if (!result.ok) fail(...result.problems);
  for (const warning of result.warnings) console.warn(warning);
  const config = { ...result.config, dataDirectory: resolve(result.config.dataDirectory) };
  ensureWritable(config.dataDirectory);
  return config;
}

/** The environment's key, or the one kept in the data folder, made there with the first start. */
export function secretKeyFor({ secretKey, dataDirectory }: Config): string {
  if (secretKey !== null) return secretKey;
  try {
    return secretKeyIn(dataDirectory);
  } catch (error) {
    const { message } = error as Error;
    return fail(`The key in ${dataDirectory}/secret-key cannot be used (${message}): put it back, or set SECRET_KEY.`);
  }
}
