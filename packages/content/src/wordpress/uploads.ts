import type { CallOptions, Client, Download } from './client.ts';
import { PREFIXES } from './endpoints.ts';
import type { Result } from './result.ts';

/** The addresses that WordPress reports for itself. */
export interface SiteAddresses {
  home: string;
  url: string;
  /** Folders of its uploads, the one for new files first. Missing with an older plugin. */
  pillion_uploads?: string[] | undefined;
}

/** A folder of uploads, as paths with a slash at both ends. */
export interface UploadFolder {
  /** In the addresses that WordPress writes. */
  written: string;
  /** At the host of `CONTENT_URL`, the only one that files are fetched from. */
  fetched: string;
}

const pathOf = ({ pathname }: URL) => pathname.replace(/\/+$/, '');

const isWithin = (url: URL, { host, pathname }: URL) =>
  url.host === host && `${url.pathname}/`.startsWith(`${pathname.replace(/\/+$/, '')}/`);

/**
 * Path of the folder of `uploads` at the host of `CONTENT_URL`. The path is the same, unless a proxy between the two
 * cuts one off: then neither of WordPress' addresses has the path of `CONTENT_URL`.
 */
function fetchedFrom(uploads: URL, own: URL, named: readonly URL[]): string {
  const isSamePath = uploads.host === own.host || named.some((address) => pathOf(address) === pathOf(own));
  const above = isSamePath ? undefined : named.find((address) => isWithin(uploads, address));
  return above ? pathOf(own) + pathOf(uploads).slice(pathOf(above).length) : pathOf(uploads);
}

/**
 * The folders of uploads that WordPress names, at its own hosts, without the root of a host. Empty with an older plugin.
 * @param contentUrl WordPress' address, as the site calls it.
 */
export function uploadFolders(contentUrl: string, site: SiteAddresses): UploadFolder[] {
  const own = new URL(contentUrl);
  const named = [site.home, site.url].flatMap((address) => URL.parse(address) ?? []);
  const hosts = [own, ...named].map(({ host }) => host);
  return (site.pillion_uploads ?? [])
    .flatMap((address) => URL.parse(address) ?? [])
    .filter((url) => /^https?:$/.test(url.protocol) && hosts.includes(url.host) && pathOf(url) !== '')
    .map((url) => ({ written: `${pathOf(url)}/`, fetched: `${fetchedFrom(url, own, named)}/` }));
}

/**
 * Asks WordPress for one of its uploads.
 * @param site `null`: WordPress has not said where they lie.
 * @param name As `mediaName` gives it.
 * @returns What the first folder answers that has such a file, else what the last one does.
 */
export async function fetchUpload(
  client: Client,
  contentUrl: string,
  site: SiteAddresses | null,
  name: string,
  options: CallOptions = {},
): Promise<Result<Download>> {
  const paths = uploadPaths(contentUrl, site, name);
  let answer = await client.file(paths[0], options);
  for (const path of paths.slice(1)) {
    if (answer.ok || (answer.error.status !== 404 && answer.error.status !== 410)) break;
    answer = await client.file(path, options);
  }
  return answer;
}

/** Where an upload may lie at the host of `CONTENT_URL`. */
export function uploadPaths(contentUrl: string, site: SiteAddresses | null, name: string): [string, ...string[]] {
  const file = name.split('/').map(encodeURIComponent).join('/');
  const [first, ...others] = site ? uploadFolders(contentUrl, site).map(({ fetched }) => fetched + file) : [];
  return [first ?? pathOf(new URL(contentUrl)) + PREFIXES.uploads + file, ...others];
}
