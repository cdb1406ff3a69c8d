import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isKnownTemplate } from '../app/templates/registry.ts';
import { type Config, readConfig } from './config.ts';
import { type Content, createContent } from './content/content.ts';
import { securityHeaders } from './http/security-headers.ts';
import { consoleLog as log } from './log.ts';

/** Ends the process with one clear sentence; a stack would only bury it. */
export function fail(...sentences: string[]): never {
  for (const sentence of sentences) console.error(sentence);
  process.exit(1);
}

/** Ends the process because it cannot listen where it should. */
export function failToListen({ code, message }: NodeJS.ErrnoException, { host, port }: Pick<Config, 'host' | 'port'>) {
  if (code === 'EADDRINUSE') fail(`Port ${port} on ${host} is taken: stop what listens there or set PORT.`);
  if (code === 'EACCES') fail(`Port ${port} may not be used by this user: set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') fail(`HOST ${host} is no address of this machine.`);
  fail(`The server cannot listen on ${host}:${port}: ${message}.`);
}

/** Folder by folder: Node's own recursion never ends where the system refuses with ENOENT, as below /proc. */
function makeFolder(directory: string): void {
  if (existsSync(directory)) return;
  makeFolder(dirname(directory));
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another start with the same folder was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Creates the folder where it is missing, so that the first sign-up does not meet a folder that cannot be written. */
function makeWritable(directory: string): void {
  try {
    makeFolder(directory);
    accessSync(`${directory}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    fail(`DATA_DIR ${directory} cannot be written (${code}): point DATA_DIR to a folder this user may write to.`);
  }
}

/** Reads the environment or ends the process, naming everything that is wrong with it. */
export function configured(): Config {
  const result = readConfig(process.env);
  if (!result.ok) fail(...result.problems);
  for (const warning of result.warnings) console.warn(warning);
  const config = { ...result.config, dataDirectory: resolve(result.config.dataDirectory) };
  makeWritable(config.dataDirectory);
  return config;
}

export function contentFor({ content, dataDirectory }: Config): Content {
  return createContent({
    source: content.source,
    wordpress: content.source === 'wordpress' ? content : null,
    dataDirectory,
    bundleDirectory: resolve('content'),
    isKnownTemplate,
    log,
  });
}

export const headersFor = ({ siteUrl, gtmId }: Config): Record<string, string> =>
  securityHeaders({ https: siteUrl.startsWith('https:'), tagManager: gtmId !== null });
