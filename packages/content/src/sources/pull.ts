import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { escapeRegExp } from '@pillion/lib/escape.ts';
import { mediaFamily, mediaName, mediaTypeOf } from '@pillion/lib/media-types.ts';
import { FORM_FORMAT } from '../forms/format.ts';
import type { Route } from '../pages/routes.ts';
import { isSameRatio } from '../text/pictures.ts';
import { createBudget } from '../wordpress/budget.ts';
import type { Client } from '../wordpress/client.ts';
import { type Endpoint, endpointPath, fileOf } from '../wordpress/endpoints.ts';
import type { Result, Warn } from '../wordpress/result.ts';
import { createRewriter, MEDIA_PREFIX, type Rewriter } from '../wordpress/rewrite.ts';
import { isObject, siteSchema } from '../wordpress/schemas.ts';
import { fetchUpload, uploadFolders } from '../wordpress/uploads.ts';
import { ORIGIN_MARK } from './bundle.ts';
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

/**
 * Members of each response in the bundled copy: those that the site reads, without values that change while the content
 * is the same (see `keepDates`).
 */
const KEPT: Record<Endpoint['name'], readonly string[] | null> = {
  site: [],
  routes: [
    'id',
    'type',
    'rest_base',
    'slug',
    'path',
    'title',
    'template',
    'theme',
    'is_front',
    'lang',
    'modified',
    'noindex',
    'canonical',
    'group',
  ],
  menus: null,
  strings: null,
  redirects: null,
  page: [
    'id',
    'status',
    'title',
    'excerpt',
    'template',
    'acf',
    'sections',
    'picture',
    'content',
    'found',
    'yoast_head_json',
  ],
  form: FORM_FORMAT.members,
};

const MENU_ITEM = ['title', 'url', 'target', 'classes'];

function pick(value: Json, names: readonly string[]): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name] ?? null]] : [])));
}

/** PHP encodes an empty object as `[]`. */
const isUnset = (value: Json) => !value || (Array.isArray(value) && value.length === 0);

function reduced(endpoint: Endpoint, answer: Json): Json {
  const names = KEPT[endpoint.name];
  if (endpoint.name === 'menus') return reducedMenus(answer);
  if (names === null) return answer;
  if (Array.isArray(answer)) return answer.map((item) => pick(item, names));
  const kept = pick(answer, names);
  // A page with sections does not need its rendered content.
  if (isObject(kept) && Array.isArray(kept.sections)) delete kept.content;
  if (isObject(kept) && isObject(kept.found) && Object.values(kept.found).every(isUnset)) delete kept.found;
  return kept;
}

function reducedMenus(answer: Json): Json {
  if (!isObject(answer)) return answer;
  const items = (menu: Json): Json[] => (Array.isArray(menu) ? menu : isObject(menu) ? items(menu.items ?? []) : []);
  return Object.fromEntries(
    Object.entries(answer).map(([location, menu]) => [
      location,
      menu === null ? null : { items: items(menu).map(reducedItem) },
    ]),
  );
}

/** Keeps the children of the item, if it has some. */
function reducedItem(item: Json): Json {
  const kept = pick(item, MENU_ITEM);
  const children = isObject(item) && Array.isArray(item.children) ? item.children.map(reducedItem) : [];
  return isObject(kept) && children.length > 0 ? { ...kept, children } : kept;
}

/** Removes crops, which no picture uses: this halves the size of the bundled copy. */
function withoutCrops(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutCrops);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, withoutCrops(member)] as const);
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
function localized(value: Json, addresses: RegExp, rewriter: Rewriter): Json {
  if (typeof value === 'string') return value.replace(addresses, (address) => rewriter.link(address) ?? address);
  if (Array.isArray(value)) return value.map((item) => localized(item, addresses, rewriter));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, localized(member, addresses, rewriter)]),
  );
}

/** All files under `/media/` that a text mentions. */
function mediaIn(text: string): string[] {
  return [...text.matchAll(/\/media\/[^\s"'<>,\\)]+/g)].flatMap(
    ([address]) => mediaName(address.slice(MEDIA_PREFIX.length)) ?? [],
  );
}

/** A failed call ends the pull, because half a bundled copy is worse than the previous one. */
export class PullFailed extends Error {}

function orFail<T>(result: Result<T>): T {
  if (result.ok) return result.data;
  throw new PullFailed(result.error.message);
}

/**
 * Writes the content of a WordPress to the bundled copy: responses with paths instead of addresses, and all files that
 * they mention. Writes nothing unless everything could be read; the same content gives the same files.
 * @throws PullFailed With the call that failed.
 */
export async function pullContent({ client, home, directory, warn }: PullOptions): Promise<Pulled> {
  const site = siteSchema.parse(accepted({ name: 'site' }, await client.get(endpointPath({ name: 'site' }))));
  const addresses = [home, site.home, site.url];
  const folders = uploadFolders(home, site).map(({ written }) => written);
  const rewriter = createRewriter(addresses, () => {}, folders);
  const pattern = addressPattern([...addresses, ...(site.pillion_uploads ?? [])]);
  const files: Files = new Map();
  const read = async (endpoint: Endpoint) => {
    const got = await client.get(endpointPath(endpoint));
    // An older companion plugin knows no redirects.
    if (!got.ok && endpoint.name === 'redirects' && got.error.status === 404) return got;
    const answer = accepted(endpoint, got);
    const kept = localized(withoutCrops(reduced(endpoint, answer)), pattern, rewriter);
    if (endpoint.name !== 'site') files.set(fileOf(endpoint), `${JSON.stringify(kept, null, 2)}\n`);
    return { ok: true as const, data: answer };
  };
  const source = createSource({ read, home, warn });
  let pages = 0;
  const languages = orFail(await source.languages({ budget: createBudget(Number.POSITIVE_INFINITY) }));
  const langs = languages.map(({ tag }) => tag);
  // The list of languages came with the texts of a language that may not be in it. The bundled copy is read in the same
  // way.
  for (const lang of langs) pages += await readAll(source, lang);
  const media = await fetchMedia((name) => fetchUpload(client, home, site, name), files, warn);
  for (const [name, bytes] of media) files.set(`media/${name}`, bytes);
  for (const lang of langs) await keepDates(directory, files, lang);
  files.set(ORIGIN_MARK, `${JSON.stringify({ addresses: [...new Set(addresses)] }, null, 2)}\n`);
  const changed = await write(directory, files, [...langs, 'media']);
  return { pages, media: media.size, bytes: [...media.values()].reduce((sum, { length }) => sum + length, 0), changed };
}

/** Returns the response if its schema accepts it, so that the bundled copy is valid. */
const accepted = (endpoint: Endpoint, got: Result<unknown>): Json => orFail(accept(endpoint, orFail(got))) as Json;

/** Reads all content of a language through `source`, which records the responses. @returns Number of pages. */
async function readAll(source: Source, lang: string): Promise<number> {
  const wanted = { budget: createBudget(Number.POSITIVE_INFINITY) };
  const routes: Route[] = orFail(await source.routes(lang, wanted));
  orFail(await source.menus(lang, wanted));
  const strings = orFail(await source.strings(lang, wanted));
  await source.redirects(lang, wanted);
  const forms = new Set([strings.form.form_id]);
  for (const route of routes) {
    const { sections } = orFail(await source.page(route, lang, wanted));
    for (const section of sections) if (section.type === 'sign-up' && section.form_id > 0) forms.add(section.form_id);
  }
  for (const id of forms) orFail(await source.form(id, lang, wanted));
  return routes.length;
}

const isPicture = (name: string) => mediaTypeOf(name)?.startsWith('image/');

/** Width and height that WordPress added to the name of a size. */
function sizeOf(name: string) {
  const [, width, height] = /-(\d+)x(\d+)\.\w+$/.exec(name) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : null;
}
const widthOf = (name: string) => sizeOf(name)?.width ?? Number.POSITIVE_INFINITY;

/** Other files of a picture: the next larger sizes, the original, then smaller sizes. */
function otherSizes(name: string, names: Iterable<string>): string[] {
  const originals = ['', '-scaled'].map((suffix) => name.replace(/-\d+x\d+(?=\.\w+$)/, suffix));
  const isAlike = (other: string) => {
    const [size, own] = [sizeOf(other), sizeOf(name)];
    return extname(other) === extname(name) && (!size || !own || isSameRatio(size, own));
  };
  const family = [...names].filter((other) => mediaFamily(other) === mediaFamily(name) && isAlike(other));
  const others = [...new Set([...family, ...originals])].filter((other) => other !== name);
  const isSmaller = (other: string) => widthOf(other) < widthOf(name);
  return [
    ...others.filter((other) => !isSmaller(other)).sort((a, b) => widthOf(a) - widthOf(b) || 0),
    ...others.filter(isSmaller).sort((a, b) => widthOf(b) - widthOf(a)),
  ];
}

const isGone = <T>(got: Result<T>): got is Extract<Result<T>, { ok: false }> =>
  !got.ok && (got.error.status === 404 || got.error.status === 410);

/** All files that are mentioned. A missing size of a picture has the content of another one. */
async function fetchMedia(
  request: (name: string) => ReturnType<typeof fetchUpload>,
  files: Files,
  warn: Warn,
): Promise<Map<string, Buffer>> {
  const names = new Set([...files.values()].flatMap((text) => mediaIn(String(text))));
  const found = new Map<string, Buffer>();
  const missing = new Map<string, string>();
  for (const name of [...names].sort()) {
    const got = await request(name);
    if (isGone(got) && isPicture(name)) missing.set(name, got.error.message);
    else found.set(name, await buffer(orFail(got).body));
  }
  const media = new Map(found);
  for (const [name, message] of missing) {
    for (const other of otherSizes(name, names)) {
      const got = found.has(other) || missing.has(other) ? null : await request(other);
      const bytes = got && !isGone(got) ? await buffer(orFail(got).body) : found.get(other);
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

type DatedRoute = { id: number; rest_base: string; path: string; modified?: string };

/** Keeps the date of an unchanged page: WordPress changes it on every save and every new seed. */
async function keepDates(directory: string, files: Files, lang: string): Promise<void> {
  const name = fileOf({ name: 'routes', lang });
  const routesBefore = await readFile(join(directory, name), 'utf8')
    .then((text): DatedRoute[] => JSON.parse(text))
    .catch(() => []);
  const before = new Map(routesBefore.map((route) => [route.path, route]));
  const pageOf = ({ id, rest_base: restBase }: DatedRoute) => fileOf({ name: 'page', lang, id, restBase });
  // A new seed gives pages other ids.
  const unnumbered = (text: string) => text.replace(/^ {2}"id": \d+,$/m, '');
  const routes = await Promise.all(
    (JSON.parse(String(files.get(name))) as DatedRoute[]).map(async (route) => {
      const last = before.get(route.path);
      const was = last && (await readFile(join(directory, pageOf(last)), 'utf8').catch(() => null));
      const isSame = was && unnumbered(was) === unnumbered(String(files.get(pageOf(route))));
      return isSame && last.modified ? { ...route, modified: last.modified } : route;
    }),
  );
  files.set(name, `${JSON.stringify(routes, null, 2)}\n`);
}

/** Writes changed files and deletes unused ones. @returns Number of files written or deleted. */
async function write(directory: string, files: Files, folders: string[]): Promise<number> {
  let changed = 0;
  for (const folder of folders) {
    const names = await readdir(join(directory, folder), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of names) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || files.has(path.slice(join(directory, '/').length))) continue;
      await rm(path);
      changed += 1;
    }
  }
  for (const [name, content] of files) {
    const path = join(directory, name);
    const before = await readFile(path).catch(() => null);
    if (before?.equals(Buffer.from(content))) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    changed += 1;
  }
  return changed;
}
