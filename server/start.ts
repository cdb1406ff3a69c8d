import { resolve } from 'node:path';
import { isKnownTemplate } from '../app/templates/registry.ts';
import type { Config } from './config.ts';
import { type Content, createContent } from './content/content.ts';
import { fail, secretKeyFor } from './environment.ts';
import { securityHeaders } from './http/security-headers.ts';
import { consoleLog as log } from './log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createSharePictures } from './share/pictures.ts';
import { createDesk } from './sign-ups/desk.ts';
import type { SignUpStore } from './sign-ups/store/store.ts';

/** Ends the process because it cannot listen where it should. */
export function failToListen({ code, message }: NodeJS.ErrnoException, { host, port }: Pick<Config, 'host' | 'port'>) {
  if (code === 'EADDRINUSE') fail(`Port ${port} on ${host} is taken: stop what listens there or set PORT.`);
  if (code === 'EACCES') fail(`Port ${port} may not be used by this user: set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') fail(`HOST ${host} is no address of this machine.`);
  fail(`The server cannot listen on ${host}:${port}: ${message}.`);
}

export const deskFor = (config: Config, store: SignUpStore) =>
  createDesk({ config, secretKey: secretKeyFor(config), store, log });

export function contentFor({ content, dataDirectory }: Config, metrics: Metrics): Content {
  return createContent({
    source: content.source,
    wordpress: content.source === 'wordpress' ? content : null,
    dataDirectory,
    bundleDirectory: resolve('content'),
    isKnownTemplate,
    log,
    metrics: metrics.content,
  });
}

/** Draws nothing, and loads nothing to draw with, until somebody asks for a picture. */
export const sharePicturesFor = ({ dataDirectory }: Config, content: Content) =>
  createSharePictures({ content, dataDirectory, fontsDirectory: resolve('server/share/fonts'), log });

export const headersFor = ({ siteUrl, gtmId }: Config): Record<string, string> =>
  securityHeaders({ https: siteUrl.startsWith('https:'), tagManager: gtmId !== null });
