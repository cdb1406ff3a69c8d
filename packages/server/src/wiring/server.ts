import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { type Content, createContent } from '@pillion/content/content.ts';
import { consoleLog as log } from '@pillion/lib/log.ts';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import type { SignUpStore } from '@pillion/sign-ups/store/store.ts';
import type { Config } from '../config/config.ts';
import { fail, secretKeyFor } from '../config/environment.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { type Instances, singleInstance } from '../instances/instances.ts';
import { SharedInstances } from '../instances/shared-instances.ts';
import type { Looks } from '../look.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createSharePictures } from '../share/pictures.ts';
import { resolveTypefaces } from '../share/typefaces.ts';
import type { Site } from '../site.ts';
import { createSignUpService } from './sign-ups.ts';

/** Ends the process because it cannot listen. */
export function failToListen({ code, message }: NodeJS.ErrnoException, { host, port }: Pick<Config, 'host' | 'port'>) {
  if (code === 'EADDRINUSE')
    fail(`Port ${port} on ${host} is in use: stop the program that listens there, or set PORT.`);
  if (code === 'EACCES') fail(`Port ${port} may not be used by this user: set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') fail(`HOST ${host} is not an address of this machine.`);
  fail(`The server cannot listen on ${host}:${port}: ${message}.`);
}

export const signUpServiceFor = (
  config: Config,
  store: SignUpStore,
  { accounts }: Pick<Instances, 'accounts'>,
  { signUpNumber }: Site,
) => createSignUpService({ config, secretKey: secretKeyFor(config), store, accounts, signUpNumber, log });

/** The servers that share a database; without a database only this server. */
export const instancesFor = (config: Config, content: Content): Instances =>
  config.databaseUrl === null
    ? singleInstance(content)
    : new SharedInstances({
        ...{ url: config.databaseUrl, name: `${hostname()}:${config.port}`, secretKey: secretKeyFor(config) },
        ...{ content, log },
      });

export function contentFor({ content, dataDirectory }: Config, metrics: Metrics, { paletteOf }: Looks): Content {
  return createContent({
    source: content.source,
    wordpress: content.source === 'wordpress' ? content : null,
    dataDirectory,
    bundleDirectory: resolve(siteFolder(), 'content'),
    paletteOf,
    log,
    metrics: metrics.content,
  });
}

/** Loads the drawing libraries with the first request. */
export const sharePicturesFor = ({ dataDirectory }: Config, content: Content, site: Site, { paletteOf }: Looks) =>
  createSharePictures({
    ...{ content, dataDirectory, log },
    look: {
      paletteOf,
      ground: site.shareGround,
      typefaces: resolveTypefaces(siteFolder(), site.shareTypefaces),
    },
  });

export const headersFor = ({ siteUrl, gtmId, hsts }: Config): Record<string, string> =>
  securityHeaders({ https: siteUrl.startsWith('https:'), hsts, tagManager: gtmId !== null });
