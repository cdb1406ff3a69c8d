import type { CallOptions, Client, Download } from './client.ts';
import { PREFIXES } from './endpoints.ts';
import { isMissing, type Result } from './result.ts';
import type { SiteAddresses } from './schemas.ts';

/** An upload folder, as paths with a slash at both ends. */
export interface UploadFolder {
  /** Path in WordPress' addresses. */
  written: string;
  /** Path at the host of `CONTENT_URL`, the only host from which files are fetched. */
  fetched: string;
}

const pathOf = ({ pathname }: URL) => pathname.replace(/\/+$/, '');

const isWithin = (url: URL, parentUrl: URL) =>
  url.host === parentUrl.host && `${url.pathname}/`.startsWith(`${pathOf(parentUrl)}/`);

/**
 * Returns the path of an upload folder at the host of `CONTENT_URL`. It is the same path, unless a proxy removes a
 * prefix: then neither of WordPress' addresses has the path of `CONTENT_URL`.
 */
function fetchedPath(uploads: URL, callUrl: URL, siteUrls: readonly URL[]): string {
  const isSamePath = uploads.host === callUrl.host || siteUrls.some((address) => pathOf(address) === pathOf(callUrl));
  const parentUrl = isSamePath ? undefined : siteUrls.find((address) => isWithin(uploads, address));
  return parentUrl ? pathOf(callUrl) + pathOf(uploads).slice(pathOf(parentUrl).length) : pathOf(uploads);
}

/**
 * Returns WordPress' upload folders at its own hosts, without the root of a host. Empty with an older plugin.
 * @param contentUrl WordPress' address, as the site calls it.
 */
export function uploadFolders(contentUrl: string, site: SiteAddresses): UploadFolder[] {
  const callUrl = new URL(contentUrl);
  const siteUrls = [site.home, site.url].flatMap((address) => URL.parse(address) ?? []);
  const hosts = [callUrl, ...siteUrls].map(({ host }) => host);
  return (site.pillion_uploads ?? [])
    .flatMap((address) => URL.parse(address) ?? [])
    .filter((url) => /^https?:$/.test(url.protocol) && hosts.includes(url.host) && pathOf(url) !== '')
    .map((url) => ({ written: `${pathOf(url)}/`, fetched: `${fetchedPath(url, callUrl, siteUrls)}/` }));
}

/**
 * Requests an upload from WordPress.
 * @param site `null`: WordPress has not reported its folders.
 * @param name As returned by `mediaName`.
 * @returns The response of the first folder that has the file, else of the last one.
 */
export async function fetchUpload(
  client: Client,
  contentUrl: string,
  site: SiteAddresses | null,
  name: string,
  options: CallOptions = {},
): Promise<Result<Download>> {
  const paths = uploadPaths(contentUrl, site, name);
  let response = await client.file(paths[0], options);
  for (const path of paths.slice(1)) {
    if (!isMissing(response)) break;
    response = await client.file(path, options);
  }
  return response;
}

/** Returns the possible paths of an upload at the host of `CONTENT_URL`. */
export function uploadPaths(contentUrl: string, site: SiteAddresses | null, name: string): [string, ...string[]] {
  const file = name.split('/').map(encodeURIComponent).join('/');
  const [first, ...others] = site ? uploadFolders(contentUrl, site).map(({ fetched }) => fetched + file) : [];
  return [first ?? pathOf(new URL(contentUrl)) + PREFIXES.uploads + file, ...others];
}
