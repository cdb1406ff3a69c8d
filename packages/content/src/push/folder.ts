import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mediaName } from '@pillion/lib/media-types.ts';
import { canonicalPath, segmentsOf } from '../pages/routes.ts';
import { accept } from '../sources/source.ts';
import { plainText } from '../text/plain-text.ts';
import { type Endpoint, fileOf } from '../wordpress/endpoints.ts';
import { picturesIn } from './blocks.ts';
import { PushFailed } from './rest.ts';

/** A picture or film that a page shows, with the description in the page's language. */
export interface PictureUse {
  url: string;
  alt: string;
}

export interface FolderSection extends Record<string, unknown> {
  type: string;
}

export interface FolderPage {
  path: string;
  slug: string;
  title: string;
  excerpt: string;
  template: string;
  theme: string;
  isFront: boolean;
  /** Number that a page and its translations share; null if the routes do not say it. */
  group: number | null;
  sections: FolderSection[];
  picture: PictureUse | null;
  /** For search engines and shared links; null if nothing is set. */
  seo: { title: string; description: string; noindex: boolean; picture: PictureUse | null } | null;
  /** Every picture and film of the page. */
  uses: PictureUse[];
}

export interface FolderMenuItem {
  title: string;
  url: string;
  target: string;
  classes: string[];
  children?: FolderMenuItem[];
}

export interface FolderForm extends Record<string, unknown> {
  id: number;
  title: string;
}

export interface FolderRedirect {
  from: string;
  status: number;
  /** Null: the page is gone (410). */
  to: string | null;
}

export interface FolderLanguage {
  tag: string;
  name: string;
  dir: string;
  fallback: string;
  pages: FolderPage[];
  menus: Record<string, FolderMenuItem[]>;
  /** Texts as WordPress sends them. */
  texts: Record<string, unknown>;
  forms: FolderForm[];
  /** Pictures and films of the language's pages, one for each file. */
  pictures: Map<string, PictureUse>;
  /** File of the music; null without music. */
  music: string | null;
  redirects: FolderRedirect[];
}

// biome-ignore lint/suspicious/noExplicitAny: the schemas below have checked what is read.
type AnyJson = any;

/** @throws PushFailed If the file is missing, or is no response of WordPress. */
function readResponse(directory: string, endpoint: Endpoint): AnyJson {
  const file = join(directory, fileOf(endpoint));
  try {
    const response = JSON.parse(readFileSync(file, 'utf8'));
    const accepted = accept(endpoint, response);
    if (!accepted.ok) throw new Error(accepted.error.message);
    return response;
  } catch (error) {
    throw new PushFailed(`${file} cannot be used: ${error instanceof Error ? error.message : error}`);
  }
}

/** @returns Empty for an excerpt that WordPress made from the content, as it will again. */
export function excerptOf(html: string): string {
  const text = plainText(html);
  return text.endsWith('[…]') ? '' : text;
}

/** The file of an address under `/media/`, as uploaded: a smaller size counts as its original. */
export function originalFile(directory: string, url: string): string | null {
  const name = mediaName(/^\/media\/([^?#]+)/.exec(url)?.[1] ?? '');
  if (name === null) return null;
  const original = name.replace(/-\d+x\d+(?=\.\w+$)/, '');
  return [original, name].find((candidate) => existsSync(join(directory, 'media', candidate))) ?? null;
}

/** Every picture and film in a value. */
function* picturesOf(value: unknown): Generator<PictureUse> {
  if (typeof value !== 'object' || value === null) return;
  if ('url' in value && ('sizes' in value || 'bytes' in value) && typeof value.url === 'string')
    yield { url: value.url, alt: 'alt' in value ? String(value.alt) : '' };
  else for (const member of Object.values(value)) yield* picturesOf(member);
}

/** A path in the site's spelling: percent-encoded, with a slash at the end. Other addresses stay as they are. */
export function normalizePath(address: string): string {
  const segments = /^\/[^?#]*$/.test(address) ? segmentsOf(address) : null;
  return segments ? canonicalPath(segments) : address;
}

/**
 * Combines an entry of routes.json with the response for its page.
 * @param tag Tag of the language.
 * @throws PushFailed If the path is invalid, or the response missing or invalid.
 */
function readPage(directory: string, tag: string, route: AnyJson): FolderPage {
  if (segmentsOf(route.path) === null)
    throw new PushFailed(`${route.path} in routes.json cannot be the path of a page. Correct it, and the links to it.`);
  const page = readResponse(directory, { name: 'page', lang: tag, restBase: route.rest_base, id: route.id });
  const [picture = null] = picturesOf(page.picture ?? null);
  // `found`: the page's fields for search engines.
  const { found: seo } = page;
  const { title = '', description = '' } = seo ?? {};
  // An SEO plugin's setting is only in the route.
  const noindex = seo?.noindex === true || route.noindex === true;
  const [sharePicture = null] = picturesOf(seo?.picture ?? null);
  const sections: FolderSection[] = page.sections ?? [{ type: 'rich-text', html: page.content?.rendered ?? '' }];
  return {
    path: normalizePath(route.path),
    slug: route.slug,
    title: route.title,
    template: route.template,
    theme: route.theme,
    isFront: route.is_front,
    group: route.group ?? null,
    picture,
    excerpt: excerptOf(page.excerpt?.rendered ?? ''),
    sections,
    seo:
      title || description || noindex || sharePicture ? { title, description, noindex, picture: sharePicture } : null,
    uses: [
      ...[picture, sharePicture].filter((use) => use !== null),
      ...picturesOf(sections),
      ...sections.flatMap(({ type, html }) => (type === 'rich-text' ? picturesIn(String(html)) : [])),
    ],
  };
}

/** WordPress sends a menu, a list of items, or null for no menu. */
const itemsOf = (menu: AnyJson): FolderMenuItem[] => (Array.isArray(menu) ? menu : (menu?.items ?? []));

const readForms = (directory: string, tag: string, ids: number[]): FolderForm[] =>
  [...new Set(ids)].filter((id) => id > 0).map((id) => readResponse(directory, { name: 'form', lang: tag, id }));

/** Reads redirects.json, redirects-2.json and so on. Without a file the folder has no redirects. */
function readRedirects(directory: string, lang: string): FolderRedirect[] {
  const redirects: FolderRedirect[] = [];
  for (let page = 1; existsSync(join(directory, fileOf({ name: 'redirects', lang, page }))); page += 1)
    redirects.push(...readResponse(directory, { name: 'redirects', lang, page }).items);
  return redirects;
}

function readLanguage(directory: string, language: AnyJson): FolderLanguage {
  const { tag } = language;
  const texts = readResponse(directory, { name: 'strings', lang: tag });
  const routes = readResponse(directory, { name: 'routes', lang: tag }).filter(({ type }: AnyJson) => type === 'page');
  const pages: FolderPage[] = routes.map((route: AnyJson) => readPage(directory, tag, route));
  const sections = pages.flatMap((page) => page.sections);
  const pictures = new Map<string, PictureUse>();
  for (const use of pages.flatMap((page) => page.uses)) {
    const file = originalFile(directory, use.url);
    if (file && !pictures.has(file)) pictures.set(file, use);
  }
  const formIds = [texts.form?.form_id ?? 0, ...sections.map(({ form_id }) => Number(form_id ?? 0))];
  return {
    ...{ tag, name: language.name, dir: language.dir, fallback: language.fallback ?? '', texts, pages, pictures },
    menus: Object.fromEntries(
      Object.entries(readResponse(directory, { name: 'menus', lang: tag })).map(([location, menu]) => [
        location,
        itemsOf(menu),
      ]),
    ),
    forms: readForms(directory, tag, formIds),
    music: originalFile(directory, texts.audio?.url ?? ''),
    redirects: readRedirects(directory, tag),
  };
}

/**
 * The bundled copy of a site's content, the default language first.
 * @param directory `content/` of a site.
 * @throws PushFailed Names the file that is missing or invalid.
 */
export function readFolder(directory: string): FolderLanguage[] {
  const file = join(directory, 'en/strings.json');
  if (!existsSync(file)) throw new PushFailed(`${directory} has no content: ${file} is missing.`);
  const { languages } = readResponse(directory, { name: 'strings', lang: ENGLISH.tag });
  const listed = Array.isArray(languages) && languages.length > 0 ? languages : [ENGLISH];
  return listed.map((language: AnyJson) => readLanguage(directory, language));
}

/** Language of a folder that lists no languages. */
const ENGLISH = { tag: 'en', name: 'English', dir: 'ltr' };
