import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { escapeRegExp } from '@pillion/lib/escape.ts';
import { mediaFamily, mediaName, mediaTypeOf } from '@pillion/lib/media-types.ts';
import { FORM_FORMAT } from '../forms/format.ts';
import { isSameRatio } from '../text/pictures.ts';
import { createBudget } from '../wordpress/budget.ts';
import type { Client } from '../wordpress/client.ts';
import { type Endpoint, endpointPath, fileOf } from '../wordpress/endpoints.ts';
import { isMissing, type Result, success, type Warn } from '../wordpress/result.ts';
import { createRewriter, MEDIA_PREFIX, type Rewriter } from '../wordpress/rewrite.ts';
import { isObject, siteSchema } from '../wordpress/schemas.ts';
import { fetchUpload, uploadFolders } from '../wordpress/uploads.ts';
import { ORIGIN_FILE } from './bundle.ts';
import { accept, createSource, type Source } from './source.ts';

export interface PullOptions {
  client: Client;
  /** Address at which the client calls WordPress. */
  home: string;
  /** Folder of the bundled copy, `content/`. Files that are no longer in WordPress are deleted. */
  directory: string;
  warn: Warn;
}

export interface Pulled {
  pages: number;
  media: number;
  /** Size of all media, in bytes. */
  bytes: number;
  /** Number of files that were written or deleted. */
  changed: number;
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Content of the bundled files, by path. */
type Files = Map<string, string | Buffer>;

/** The client's timeout limits each call. */
const WITHOUT_DEADLINE = { budget: createBudget(Number.POSITIVE_INFINITY) };

type BundledEndpoint = Exclude<Endpoint, { name: 'site' }>;

/**
 * Members of each response in the bundled copy: those that the site reads, without values that change while the content
 * is the same (see `keepUnchangedDates`). `null`: all.
 */
const KEPT_MEMBERS: Record<BundledEndpoint['name'], readonly string[] | null> = {
  routes: 'id type rest_base slug path title template theme is_front lang modified noindex canonical group'.split(' '),
  menus: null,
  strings: null,
  redirects: null,
  page: 'id status title excerpt template acf sections picture content found yoast_head_json'.split(' '),
  form: FORM_FORMAT.members,
};

const MENU_ITEM_MEMBERS = ['title', 'url', 'target', 'classes'];

function pick(value: Json, names: readonly string[]): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name] ?? null]] : [])));
}

/** Whether a value is empty. PHP encodes an empty object as `[]`. */
const isUnset = (value: Json) => !value || (Array.isArray(value) && value.length === 0);

function reduceResponse(endpoint: BundledEndpoint, response: Json): Json {
  const names = KEPT_MEMBERS[endpoint.name];
  if (endpoint.name === 'menus') return reduceMenus(response);
  if (names === null) return response;
  if (Array.isArray(response)) return response.map((item) => pick(item, names));
  const kept = pick(response, names);
  // A page with sections does not need its rendered content.
  if (isObject(kept) && Array.isArray(kept.sections)) delete kept.content;
  if (isObject(kept) && isObject(kept.found) && Object.values(kept.found).every(isUnset)) delete kept.found;
  return kept;
}

function reduceMenus(response: Json): Json {
  if (!isObject(response)) return response;
  const itemsOf = (menu: Json): Json[] => {
    const items = isObject(menu) ? menu.items : menu;
    return Array.isArray(items) ? items : [];
  };
  return Object.fromEntries(
    Object.entries(response).map(([location, menu]) => [
      location,
      menu === null ? null : { items: itemsOf(menu).map(reduceItem) },
    ]),
  );
}

/** Keeps the children of the item, if it has some. */
function reduceItem(item: Json): Json {
  const kept = pick(item, MENU_ITEM_MEMBERS);
  const children = isObject(item) && Array.isArray(item.children) ? item.children.map(reduceItem) : [];
  return isObject(kept) && children.length > 0 ? { ...kept, children } : kept;
}

/** Removes crops, which no picture uses: this halves the size of the bundled copy. */
function removeCrops(value: Json): Json {
  if (Array.isArray(value)) return value.map(removeCrops);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, removeCrops(member)] as const);
  const { width, height, sizes } = value;
  if (!Array.isArray(sizes) || typeof width !== 'number' || typeof height !== 'number')
    return Object.fromEntries(entries);
  const whole = sizes.filter(
    (size) => isObject(size) && isSameRatio(size as { width: number; height: number }, { width, height }),
  );
  return { ...Object.fromEntries(entries), sizes: whole };
}

/** Matches WordPress' addresses in a text, with http, https or no scheme. */
function addressPattern(addresses: string[]): RegExp {
  const places = new Set(addresses.map((address) => address.replace(/^https?:/, '')));
  const longestFirst = [...places].sort((a, b) => b.length - a.length).map(escapeRegExp);
  return new RegExp(`(?:https?:|(?<![\\w.:/-]))(?:${longestFirst.join('|')})(?![\\w.:-])[^\\s"'<>,\\\\)]*`, 'g');
}

/** Replaces WordPress' addresses in all texts, including markup, with paths of the site. */
function localizeAddresses(value: Json, addresses: RegExp, rewriter: Rewriter): Json {
  if (typeof value === 'string') return value.replace(addresses, (address) => rewriter.link(address) ?? address);
  if (Array.isArray(value)) return value.map((item) => localizeAddresses(item, addresses, rewriter));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, localizeAddresses(member, addresses, rewriter)]),
  );
}

/** All files under `/media/` that a text mentions. */
function mediaNamesIn(text: string): string[] {
  return [...text.matchAll(/\/media\/[^\s"'<>,\\)]+/g)].flatMap(
    ([address]) => mediaName(address.slice(MEDIA_PREFIX.length)) ?? [],
  );
}

/** A failed call ends the pull, because half a bundled copy is worse than the previous one. */
export class PullFailed extends Error {}

function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.data;
  throw new PullFailed(result.error.message);
}

/**
 * Writes the content of a WordPress to the bundled copy: responses with paths instead of addresses, and all files that
 * they mention. Writes nothing unless everything could be read; the same content gives the same files.
 * @throws PullFailed With the call that failed.
 */
export async function pullContent({ client, home, directory, warn }: PullOptions): Promise<Pulled> {
  const siteResponse = acceptResponse({ name: 'site' }, await client.get(endpointPath({ name: 'site' })));
  const site = siteSchema.parse(siteResponse);
  const addresses = [home, site.home, site.url];
  const folders = uploadFolders(home, site).map(({ written }) => written);
  const rewriter = createRewriter(addresses, () => {}, folders);
  const pattern = addressPattern([...addresses, ...(site.pillion_uploads ?? [])]);
  const files: Files = new Map();
  const read = async (endpoint: Endpoint) => {
    // The source needs the addresses for each response.
    if (endpoint.name === 'site') return success(siteResponse);
    const result = await client.get(endpointPath(endpoint));
    // An older plugin has no redirects.
    if (!result.ok && endpoint.name === 'redirects' && result.error.status === 404) return result;
    const response = acceptResponse(endpoint, result);
    const kept = localizeAddresses(removeCrops(reduceResponse(endpoint, response)), pattern, rewriter);
    files.set(fileOf(endpoint), `${JSON.stringify(kept, null, 2)}\n`);
    return success(response);
  };
  const source = createSource({ read, home, warn });
  const langs = unwrap(await source.languages(WITHOUT_DEADLINE)).map(({ tag }) => tag);
  let pages = 0;
  // The list of languages came with the texts of `FIRST_REQUESTED`, which may not be in it. Those texts stay in `files`,
  // because the bundled copy is read in the same order.
  for (const lang of langs) pages += await readLanguage(source, lang);
  const media = await downloadMedia((name) => fetchUpload(client, home, site, name), files, warn);
  for (const [name, bytes] of media) files.set(`media/${name}`, bytes);
  for (const lang of langs) await keepUnchangedDates(directory, files, lang);
  files.set(ORIGIN_FILE, `${JSON.stringify({ addresses: [...new Set(addresses)] }, null, 2)}\n`);
  const changed = await writeFiles(directory, files, [...langs, 'media']);
  return { pages, media: media.size, bytes: [...media.values()].reduce((sum, { length }) => sum + length, 0), changed };
}

/** Returns the response if its schema accepts it, so that the bundled copy is valid. */
const acceptResponse = (endpoint: Endpoint, result: Result<unknown>): Json =>
  unwrap(accept(endpoint, unwrap(result))) as Json;

/** Reads all content of a language through `source`, which records the responses. @returns Number of pages. */
async function readLanguage(source: Source, lang: string): Promise<number> {
  const routes = unwrap(await source.routes(lang, WITHOUT_DEADLINE));
  unwrap(await source.menus(lang, WITHOUT_DEADLINE));
  const strings = unwrap(await source.strings(lang, WITHOUT_DEADLINE));
  await source.redirects(lang, WITHOUT_DEADLINE);
  const forms = new Set([strings.form.form_id]);
  for (const route of routes) {
    const { sections } = unwrap(await source.page(route, lang, WITHOUT_DEADLINE));
    for (const section of sections) if (section.type === 'sign-up' && section.form_id > 0) forms.add(section.form_id);
  }
  for (const id of forms) unwrap(await source.form(id, lang, WITHOUT_DEADLINE));
  return routes.length;
}

const isPicture = (name: string) => mediaTypeOf(name)?.startsWith('image/');

/** @returns Width and height that WordPress added to the name of a size; `null` for an original. */
function sizeOf(name: string) {
  const [, width, height] = /-(\d+)x(\d+)\.\w+$/.exec(name) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : null;
}

/** Infinite for an original, which is larger than all sizes. */
const widthOf = (name: string) => sizeOf(name)?.width ?? Number.POSITIVE_INFINITY;

/** Other files of a picture: the next larger sizes, the original, then smaller sizes. */
function otherSizesOf(name: string, names: Iterable<string>): string[] {
  const originals = ['', '-scaled'].map((suffix) => name.replace(/-\d+x\d+(?=\.\w+$)/, suffix));
  const hasSameRatio = (other: string) => {
    const [otherSize, size] = [sizeOf(other), sizeOf(name)];
    return extname(other) === extname(name) && (!otherSize || !size || isSameRatio(otherSize, size));
  };
  const family = [...names].filter((other) => mediaFamily(other) === mediaFamily(name) && hasSameRatio(other));
  const others = [...new Set([...family, ...originals])].filter((other) => other !== name);
  const isSmaller = (other: string) => widthOf(other) < widthOf(name);
  // The difference of two originals is `NaN`, since the width of both is infinite.
  return [
    ...others.filter((other) => !isSmaller(other)).sort((a, b) => widthOf(a) - widthOf(b) || 0),
    ...others.filter(isSmaller).sort((a, b) => widthOf(b) - widthOf(a)),
  ];
}

/** Downloads all files that are mentioned. A missing size of a picture has the content of another one. */
async function downloadMedia(
  request: (name: string) => ReturnType<typeof fetchUpload>,
  files: Files,
  warn: Warn,
): Promise<Map<string, Buffer>> {
  const names = new Set([...files.values()].flatMap((text) => mediaNamesIn(String(text))));
  const found = new Map<string, Buffer>();
  const missing = new Map<string, string>();
  for (const name of [...names].sort()) {
    const result = await request(name);
    if (isMissing(result) && isPicture(name)) missing.set(name, result.error.message);
    else found.set(name, await buffer(unwrap(result).body));
  }
  const media = new Map(found);
  for (const [name, message] of missing) {
    for (const other of otherSizesOf(name, names)) {
      const result = found.has(other) || missing.has(other) ? null : await request(other);
      const bytes = result && !isMissing(result) ? await buffer(unwrap(result).body) : found.get(other);
      if (!bytes) continue;
      warn('content.picture-size-missing', { file: name, used: other });
      media.set(name, bytes);
      break;
    }
    if (!media.has(name))
      throw new PullFailed(
        `${message}. No file of this picture exists: upload ${name} again, or remove it from the pages that show it`,
      );
  }
  return media;
}

/** A route in the bundled copy. */
type DatedRoute = { id: number; rest_base: string; path: string; modified?: string };

/** Keeps the date of an unchanged page: WordPress changes it on every save and every new seed. */
async function keepUnchangedDates(directory: string, files: Files, lang: string): Promise<void> {
  const name = fileOf({ name: 'routes', lang });
  const previousRoutes = await readFile(join(directory, name), 'utf8')
    .then((text): DatedRoute[] => JSON.parse(text))
    .catch(() => []);
  const previous = new Map(previousRoutes.map((route) => [route.path, route]));
  const pageOf = ({ id, rest_base: restBase }: DatedRoute) => fileOf({ name: 'page', lang, id, restBase });
  // A new seed gives pages other ids.
  const withoutId = (text: string) => text.replace(/^ {2}"id": \d+,$/m, '');
  const routes = await Promise.all(
    (JSON.parse(String(files.get(name))) as DatedRoute[]).map(async (route) => {
      const last = previous.get(route.path);
      const previousPage = last && (await readFile(join(directory, pageOf(last)), 'utf8').catch(() => null));
      const isSame = previousPage && withoutId(previousPage) === withoutId(String(files.get(pageOf(route))));
      return isSame && last.modified ? { ...route, modified: last.modified } : route;
    }),
  );
  files.set(name, `${JSON.stringify(routes, null, 2)}\n`);
}

/** Writes changed files and deletes unused ones. @returns Number of files written or deleted. */
async function writeFiles(directory: string, files: Files, folders: string[]): Promise<number> {
  let changed = 0;
  for (const folder of folders) {
    const names = await readdir(join(directory, folder), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of names) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || files.has(relative(directory, path))) continue;
      await rm(path);
      changed += 1;
    }
  }
  for (const [name, content] of files) {
    const path = join(directory, name);
    const previous = await readFile(path).catch(() => null);
    if (previous?.equals(Buffer.from(content))) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    changed += 1;
  }
  return changed;
}
