import { hash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename, extname, join, posix } from 'node:path';
import { mediaTypeOf } from '@pillion/lib/media-types.ts';
import { DomUtils, parseDocument } from 'htmlparser2';
import { redirectsOf } from '../pages/redirects.ts';
import { blockNames, isDeclared, type References, sectionBlocks } from './blocks.ts';
import {
  type FolderForm,
  type FolderLanguage,
  type FolderMenuItem,
  type FolderPage,
  type FolderRedirect,
  normalizePath,
  originalFile,
  readFolder,
} from './folder.ts';
import { createRest, type Login, PushFailed, type Rest } from './rest.ts';

/** Adds one thing of the folder to WordPress: a page, a file, a form. */
export interface Step {
  /** `page /about/`, `form Join the list`. */
  name: string;
  /** Why WordPress keeps what it has; null: the step adds something. */
  skipReason: string | null;
  write: () => Promise<void>;
}

type Attachment = { id: number; source_url: string; slug: string };
type Post = { id: number; slug: string; parent: number; status: string; meta?: Record<string, unknown> };

/** What WordPress has. Ids of what is added are written into it. */
interface Target {
  rest: Rest;
  directory: string;
  languages: FolderLanguage[];
  /** Tag of WordPress' default language. */
  defaultTag: string;
  /** Attachments by `mediaKey`. */
  media: Map<string, Attachment>;
  /** Ids by path. */
  pages: Map<string, number>;
  /** Ids of published pages. */
  published: Set<number>;
  /** Whether WordPress has a front page. */
  hasFront: boolean;
  /** Ids of pages in WordPress by the id of the original and the language: `7 de`. */
  translations: Map<string, number>;
  /** Ids of pages in the default language by the group of the folder. */
  originals: Map<number, number>;
  /** Ids by the form's number in the folder. */
  forms: Map<number, number>;
}

const LANG = '_pillion_lang';
const ORIGINAL = '_pillion_translation_of';
const THEME = '_pillion_theme';

const homeOf = (tag: string, defaultTag: string) => (tag === defaultTag ? '/' : `/${tag.toLowerCase()}/`);
/** Suffix of options and menu locations (`Pillion\Lib\Language::suffix()`). */
const suffixOf = (tag: string, defaultTag: string) =>
  tag === defaultTag ? '' : `_${tag.toLowerCase().replace(/-/g, '_')}`;

/** The option with the texts of a language. */
const optionOf = (tag: string, defaultTag: string) => `pillion_strings${suffixOf(tag, defaultTag)}`;

/** A file with its description in one language. */
const mediaKey = (file: string, alt: string) => `${file}\n${alt}`;

const createStep = (name: string, skipReason: string | null, write: () => Promise<void>): Step => ({
  name,
  skipReason,
  write,
});

/** @throws PushFailed If the user may not write, or WordPress has no plugin, or one without a section that a page has. */
async function checkTarget(rest: Rest, languages: FolderLanguage[]): Promise<void> {
  const { namespaces } = await rest.get('/?_fields=namespaces');
  if (!namespaces?.includes('pillion/v1'))
    throw new PushFailed('WordPress has no active plugin Pillion. Upload build/wordpress/pillion.zip and activate it.');
  const { capabilities = {} } = await rest.get('/wp/v2/users/me?context=edit&_fields=capabilities');
  if (!capabilities.manage_options) throw new PushFailed('WORDPRESS_USER must be an administrator.');
  if (!capabilities.unfiltered_html)
    throw new PushFailed(
      'WordPress removes some HTML of WORDPRESS_USER (DISALLOW_UNFILTERED_HTML, or an administrator of one site of a network). Use a user who may write all HTML.',
    );
  const types: { name: string }[] = await rest.get('/wp/v2/block-types/pillion?_fields=name');
  const known = new Set(types.map(({ name }) => name.replace('pillion/', '')));
  const used = languages.flatMap(({ pages }) => pages.flatMap(({ sections }) => sections.map(({ type }) => type)));
  const unknown = [...new Set(used)].filter((type) => !isDeclared(type));
  if (unknown.length > 0)
    throw new PushFailed(`The site has no section ${unknown.join(', ')}. Run the command in the folder of the site.`);
  const missing = [...new Set(used)].filter((type) => !blockNames(type).every((name) => known.has(name)));
  if (missing.length > 0)
    throw new PushFailed(
      `The plugin in WordPress has no section ${missing.join(', ')}. Build the site and upload build/wordpress/pillion.zip again.`,
    );
}

/** Answer of the plugin (`Pillion\Content\PushedContent`). */
interface PluginState {
  languages: { tag: string }[];
  /** Whether an administrator has saved the list. */
  is_listed: boolean;
  /** Name of another plugin that manages the languages. */
  languages_by: string;
  is_adding_forms: boolean;
}

/**
 * The step that adds the languages that WordPress lacks, after those it has; empty if it has all.
 * @param isEmpty Whether WordPress has no pages. Its list may then be replaced, if no administrator has saved it.
 * @throws PushFailed If the default languages differ, or if another plugin manages the languages and the folder has
 * several or one that is not there.
 */
function languageSteps(rest: Rest, state: PluginState, languages: FolderLanguage[], isEmpty: boolean): Step[] {
  const { languages: wordpressLanguages, languages_by: otherPlugin } = state;
  const folderDefault = languages[0]?.tag;
  if (otherPlugin && languages.length > 1)
    throw new PushFailed(
      `${otherPlugin} manages the languages, and pages of several languages cannot be written then. Deactivate it, or push a folder with one language.`,
    );
  // A new WordPress lists its own language, which the site may not have.
  const listed =
    isEmpty && !state.is_listed && !otherPlugin && wordpressLanguages[0]?.tag !== folderDefault
      ? []
      : wordpressLanguages;
  const wordpressDefault = listed[0]?.tag ?? folderDefault;
  if (wordpressDefault !== folderDefault)
    throw new PushFailed(
      `The default language of WordPress is ${wordpressDefault}, that of the content is ${folderDefault}. Change one of them, because it decides the addresses of pages.`,
    );
  const known = new Set(listed.map(({ tag }) => tag));
  const missing = languages.filter(({ tag }) => !known.has(tag));
  const tags = missing.map(({ tag }) => tag).join(', ');
  if (tags && otherPlugin) throw new PushFailed(`${otherPlugin} manages the languages. Add ${tags} there.`);
  // The request replaces the whole list.
  const rows = [...listed, ...missing.map(({ tag, name, dir, fallback }) => ({ tag, name, dir, fallback }))];
  const add = async () => void (await rest.post('/pillion/v1/languages', { languages: rows }));
  return tags ? [createStep(`languages ${tags}`, null, add)] : [];
}

/** The name of an upload. A file that is described in several languages is uploaded once for each description. */
const uploadName = (file: string, tag: string, isFirst: boolean) =>
  isFirst ? basename(file) : `${basename(file, extname(file))}-${tag.toLowerCase()}${extname(file)}`;

/** Files that are needed: those of pages that WordPress lacks, and music that it has not set. */
async function mediaSteps(target: Target, settings: Settings): Promise<Step[]> {
  const { rest, directory, languages, defaultTag, media, pages } = target;
  const known = await rest.list<Attachment>('/wp/v2/media?_fields=id,source_url,slug');
  /** Names of uploads by `mediaKey`. Files that are not needed get one too, so that names are the same in every run. */
  const names = new Map<string, string>();
  const namedFiles = new Set<string>();
  const steps = new Map<string, Step>();
  for (const { tag, pages: folderPages, pictures, music } of languages) {
    const added = folderPages.filter(({ path }) => !pages.has(path));
    const needed = new Set(added.flatMap(({ uses }) => uses.map(({ url }) => originalFile(directory, url))));
    const audio = settings[optionOf(tag, defaultTag)]?.audio as Texts | undefined;
    if (music && !audio?.url) needed.add(music);
    const uses = [...pictures].map(([file, { alt }]) => ({ file, alt }));
    for (const { file, alt } of music ? [...uses, { file: music, alt: '' }] : uses) {
      const key = mediaKey(file, alt);
      const name = names.get(key) ?? uploadName(file, tag, !namedFiles.has(file));
      names.set(key, name);
      namedFiles.add(file);
      if (steps.has(key) || !needed.has(file)) continue;
      const slug = slugOfFile(posix.join(posix.dirname(file), name));
      const existing = known.find((attachment) => attachment.slug === slug);
      if (existing) media.set(key, existing);
      const path = join(directory, 'media', file);
      const add = async () => void media.set(key, await upload(rest, { path, name, slug, alt }));
      steps.set(key, createStep(`file ${name}`, existing ? 'it is in the media library' : null, add));
    }
  }
  return [...steps.values()];
}

/** In characters. WordPress cuts longer slugs. */
const MAX_SLUG_LENGTH = 200;

/**
 * Identifies an upload also after WordPress has renamed its file. The prefix is needed because pages and files share
 * their slugs.
 * @param file Folder in `media/` and name of the upload: files of two months may have the same name.
 */
function slugOfFile(file: string): string {
  const slug = `media-${encodeURIComponent(file.toLowerCase())}`.replace(/[^a-z\d]+/gi, '-').toLowerCase();
  return slug.length > MAX_SLUG_LENGTH ? `media-${hash('sha256', file)}` : slug;
}

interface Upload {
  /** Path of the file on disk. */
  path: string;
  name: string;
  slug: string;
  alt: string;
}

async function upload(rest: Rest, { path, name, slug, alt }: Upload): Promise<Attachment> {
  const form = new FormData();
  form.set('alt_text', alt);
  form.set('slug', slug);
  form.set('file', await openAsBlob(path, { type: mediaTypeOf(name) ?? '' }), name);
  return rest.post('/wp/v2/media?_fields=id,source_url,slug', form);
}

/**
 * @throws PushFailed If two forms have the same title, by which a form is found again, or if Gravity Forms lacks a form:
 * the pages would be written without it.
 */
async function formSteps({ rest, languages, forms }: Target, state: PluginState): Promise<Step[]> {
  // A form that several languages share is written as in the first of them.
  const byId = new Map<number, FolderForm>();
  for (const form of languages.flatMap((language) => language.forms)) if (!byId.has(form.id)) byId.set(form.id, form);
  const wanted = [...byId.values()];
  if (wanted.length === 0) return [];
  checkTitles(wanted);
  const existing = await existingForms(rest, state);
  return wanted.map((form) => {
    const existingForm = existing.find(({ title }) => title === form.title);
    if (!existingForm && !state.is_adding_forms)
      throw new PushFailed(`Create a form with the title “${form.title}” in Gravity Forms first.`);
    if (existingForm) forms.set(form.id, Number(existingForm.id));
    const add = async () => void forms.set(form.id, (await rest.post('/pillion/v1/forms', withoutPageIds(form))).id);
    return createStep(`form ${form.title}`, existingForm ? 'a form with this title exists' : null, add);
  });
}

/** @throws PushFailed Also if the REST API of Gravity Forms is off, as it is by default. */
async function existingForms(rest: Rest, state: PluginState): Promise<{ id: string; title: string }[]> {
  try {
    return Object.values(await rest.get('/gf/v2/forms'));
  } catch (error) {
    const isOff = error instanceof PushFailed && error.code === 'rest_no_route' && !state.is_adding_forms;
    throw isOff ? new PushFailed('Switch on the REST API of Gravity Forms (Forms → Settings → REST API).') : error;
  }
}

function checkTitles(forms: FolderForm[]): void {
  const titles = new Set<string>();
  for (const { title } of forms) {
    if (titles.has(title)) throw new PushFailed(`Two forms have the title “${title}”. Rename one in the folder.`);
    titles.add(title);
  }
}

/** A confirmation that leads to a page has the page's id in the other WordPress. Its address is the same. */
function withoutPageIds(form: FolderForm): FolderForm {
  const confirmations = Object.entries((form.confirmations ?? {}) as Record<string, Record<string, unknown>>);
  const entries = confirmations.map(([key, confirmation]) =>
    confirmation.type === 'page' ? [key, { ...confirmation, type: 'redirect', pageId: 0 }] : [key, confirmation],
  );
  return { ...form, confirmations: Object.fromEntries(entries) };
}

/** Ids of the pages in WordPress by path in the site's spelling. A draft has no path until it gets a slug. */
function pathsOf(posts: Post[], front: number, defaultTag: string): Map<string, number> {
  const byId = new Map(posts.map((post) => [post.id, post]));
  /** The slugs of a post and its ancestors, topmost first. */
  const slugsOf = ({ slug, parent }: Post): string[] => {
    const parentPost = byId.get(parent);
    return [...(parentPost ? slugsOf(parentPost) : []), slug];
  };
  return new Map(
    posts.flatMap((post) => {
      const home = homeOf(String(post.meta?.[LANG] || defaultTag), defaultTag);
      const isFront = front > 0 && (post.id === front || post.meta?.[ORIGINAL] === front);
      const slugs = slugsOf(post);
      if (isFront) return [[home, post.id]];
      return slugs.every(Boolean) ? [[normalizePath(`${home}${slugs.join('/')}/`), post.id]] : [];
    }),
  );
}

/** Finds the uploads with a language's descriptions, and the forms. */
function referencesFor({ directory, media, forms }: Target, { pictures }: FolderLanguage): References {
  const attachmentOf = (url: string) => {
    const file = originalFile(directory, url);
    return file ? media.get(mediaKey(file, pictures.get(file)?.alt ?? '')) : undefined;
  };
  return {
    attachmentId: ({ url }) => attachmentOf(url)?.id ?? 0,
    addressOf: ({ url }) => attachmentOf(url)?.source_url ?? url,
    formId: (id) => forms.get(id) ?? 0,
  };
}

/** The slug of a front page is in no address. In a created site it is empty or the prefix of the language. */
function slugOf({ slug, path, isFront }: FolderPage, suffix: string): string {
  // WordPress writes percent-encoding in lower case.
  if (!isFront) return (path.split('/').at(-2) ?? '').toLowerCase();
  return slug && !path.includes(slug) ? slug : `home${suffix.replaceAll('_', '-')}`;
}

/** What WordPress replaces in a slug: capitals, Latin letters with accents, and dots and other signs. */
const REPLACED_CHARACTER = /\p{Lu}|(?!\p{ASCII})\p{Script=Latin}|(?![a-z\d_/-])\p{ASCII}/u;

/** Whether the page has no parent in WordPress. */
const isTop = (page: FolderPage, tag: string, defaultTag: string) =>
  page.isFront || parentPathOf(page) === homeOf(tag, defaultTag);

const depthOf = ({ path }: FolderPage) => path.split('/').length;

/**
 * @throws PushFailed If a page would get another address: WordPress replaces some letters, pages without a parent share
 * their slugs, in all languages, and a page below another one needs that one.
 */
function checkAddresses({ languages, defaultTag, pages }: Target, posts: Post[]) {
  const paths = new Map([...pages].map(([path, id]) => [id, path]));
  /** Paths by slug, of pages without a parent. */
  const taken = new Map(posts.filter(({ parent }) => parent === 0).map(({ id, slug }) => [slug, paths.get(id) ?? '']));
  const wanted = new Set(languages.flatMap((language) => language.pages.map(({ path }) => path)));
  for (const { tag, pages: folderPages } of languages)
    for (const page of folderPages.filter(({ path }) => !pages.has(path))) {
      const [character] =
        REPLACED_CHARACTER.exec(decodeURIComponent(page.path.slice(homeOf(tag, defaultTag).length))) ?? [];
      if (character)
        throw new PushFailed(
          `The page ${decodeURIComponent(page.path)} has “${character}” in its path, which WordPress replaces. Write it as WordPress does, in the folder, in routes.json and in the links to it.`,
        );
      if (!isTop(page, tag, defaultTag)) {
        const parent = parentPathOf(page);
        if (pages.has(parent) || wanted.has(parent)) continue;
        throw new PushFailed(`The page ${page.path} is below ${parent}, which neither the folder nor WordPress has.`);
      }
      const slug = slugOf(page, suffixOf(tag, defaultTag));
      const other = taken.get(slug);
      if (other && !page.isFront)
        throw new PushFailed(
          `The pages ${other} and ${page.path} have the same slug, which WordPress does not allow in any two languages. Rename one in the folder, in routes.json and in the links to it.`,
        );
      taken.set(slug, page.path);
    }
}

const parentPathOf = ({ path }: FolderPage) => path.replace(/[^/]+\/$/, '');

/** The page of an interrupted push that was not yet set as front page. */
const findUnsetFront = ({ pages, defaultTag, hasFront }: Target, tag: string, page: FolderPage) =>
  page.isFront && !hasFront ? pages.get(`${page.path}${slugOf(page, suffixOf(tag, defaultTag))}/`) : undefined;

/** The page in WordPress that this one translates. */
const originalOf = ({ originals }: Target, { group }: FolderPage) =>
  group === null ? undefined : originals.get(group);

/** Notes a page of WordPress. The first of a group is the original, usually that in the default language. */
function recordId({ pages, originals }: Target, { path, group }: FolderPage, id: number) {
  pages.set(path, id);
  if (group !== null && !originals.has(group)) originals.set(group, id);
}

/** The steps that add the pages, and the one that sets the front page. */
function pageSteps(target: Target): Step[] {
  const { rest, languages, pages, hasFront } = target;
  const setFront = createStep('front page', hasFront ? 'there is one' : null, async () => {
    await rest.post('/wp/v2/settings', { show_on_front: 'page', page_on_front: pages.get('/') ?? 0 });
  });
  const steps = languages.flatMap((language) =>
    language.pages
      // Parents first: a page is written with the id of its parent.
      .toSorted((a, b) => depthOf(a) - depthOf(b))
      .map((page) => {
        const existing =
          pages.get(page.path) ??
          findUnsetFront(target, language.tag, page) ??
          target.translations.get(`${originalOf(target, page)} ${language.tag}`);
        if (existing) recordId(target, page, existing);
        const skipReason = target.published.has(existing ?? 0)
          ? 'the page exists'
          : 'a page that is not published has this address';
        return createStep(`page ${page.path}`, existing ? skipReason : null, () => addPage(target, language, page));
      }),
  );
  return languages[0]?.pages.some(({ isFront }) => isFront) ? [...steps, setFront] : steps;
}

/** The meta that makes a page a translation. */
function translationMeta(target: Target, tag: string, page: FolderPage) {
  const original = originalOf(target, page);
  return tag === target.defaultTag ? {} : { [LANG]: tag, ...(original && { [ORIGINAL]: original }) };
}

async function addPage(target: Target, language: FolderLanguage, page: FolderPage) {
  const { rest, defaultTag, pages } = target;
  const { tag } = language;
  const references = referencesFor(target, language);
  const slug = slugOf(page, suffixOf(tag, defaultTag));
  const added = await rest.post('/wp/v2/pages?_fields=id,slug', {
    ...{ status: 'publish', title: page.title, excerpt: page.excerpt, template: page.template, slug },
    parent: isTop(page, tag, defaultTag) ? 0 : (pages.get(parentPathOf(page)) ?? 0),
    featured_media: page.picture ? references.attachmentId(page.picture) : 0,
    meta: {
      ...translationMeta(target, tag, page),
      ...(page.theme && { [THEME]: page.theme }),
      ...seoMeta(page, references),
    },
    content: page.sections.map((section) => sectionBlocks(section, references)).join('\n\n'),
  });
  if (added.slug !== slug)
    throw new PushFailed(
      `WordPress reserves the slug ${slug}, and named the page ${page.path} ${added.slug}. Delete that page, and rename it in the folder.`,
    );
  recordId(target, page, added.id);
}

/** As the panel for search engines stores it (`Pillion\Content\Seo`). */
const seoMeta = ({ seo }: FolderPage, references: References) =>
  seo && {
    _pillion_found_title: seo.title,
    _pillion_found_description: seo.description,
    _pillion_found_noindex: seo.noindex,
    _pillion_found_picture: seo.picture ? references.attachmentId(seo.picture) : 0,
  };

/** The path of a redirect as the site compares it: `/old` and `/old/` are the same. `undefined`: it cannot be used. */
const normalizedPath = (redirect: FolderRedirect): string | undefined =>
  redirectsOf([{ ...redirect, to: redirect.to ?? '' }], () => {})
    .keys()
    .next().value;

/** @throws PushFailed If the site could not use the redirect. */
function pathOfRedirect(redirect: FolderRedirect): string {
  const path = normalizedPath(redirect);
  if (path === undefined)
    throw new PushFailed(
      `The redirect from ${redirect.from} to ${redirect.to} cannot be used. Write paths of this site, such as /old/, and the status 301, 302 or 410.`,
    );
  return path;
}

/** The redirects of all languages, each once: every language of the folder may list all of them. */
async function redirectSteps({ rest, languages, pages }: Target): Promise<Step[]> {
  const all = languages.flatMap(({ redirects }) => redirects);
  const wanted = new Map(all.map((redirect) => [pathOfRedirect(redirect), redirect]));
  const known = new Set<string>();
  for (let page = 1, total = 1; wanted.size > 0 && known.size < total; page += 1) {
    const response: { total: number; items: FolderRedirect[] } = await rest.get(`/pillion/v1/redirects?page=${page}`);
    // The site uses none without a path.
    for (const path of response.items.map(normalizedPath)) if (path !== undefined) known.add(path);
    total = response.items.length > 0 ? response.total : 0;
  }
  return [...wanted].map(([path, { from, status, to }]) => {
    const pageReason = pages.has(path) ? 'a page has this address' : null;
    const skipReason = known.has(path) ? 'there is a redirect from this path' : pageReason;
    return createStep(`redirect ${from}`, skipReason, async () => {
      await rest.post('/pillion/v1/redirects', { from, status, to: to ?? '' });
    });
  });
}

/** Names of the menus by location. */
const MENUS: Record<string, string> = {
  main_menu: 'main menu',
  social_menu: 'social networks',
  legals_menu: 'legal pages',
};

async function menuSteps(target: Target): Promise<Step[]> {
  const { rest, languages, defaultTag } = target;
  const locations: Record<string, { menu: number }> = await rest.get('/wp/v2/menu-locations');
  const menus = await rest.list<{ id: number; name: string }>('/wp/v2/menus?_fields=id,name');
  return languages.flatMap(({ tag, menus: wanted, texts }) =>
    Object.entries(wanted).flatMap(([folderLocation, items]) => {
      const menuName = MENUS[folderLocation];
      if (items.length === 0 || !menuName) return [];
      const location = `${folderLocation}${suffixOf(tag, defaultTag)}`;
      const name = `${texts.brand || 'Site'}: ${menuName}${tag === defaultTag ? '' : ` (${tag})`}`;
      return createStep(`menu ${name}`, locations[location]?.menu ? 'its location has a menu' : null, async () => {
        const existing = menus.find((menu) => decodeName(menu.name) === name);
        const { id } = existing ?? (await rest.post('/wp/v2/menus', { name }));
        const known: KnownItem[] = await rest.list(
          `/wp/v2/menu-items?context=edit&menus=${id}&_fields=id,object_id,type,url,parent`,
        );
        await addItems(target, { menu: id, known }, items);
        // Last, so that an interrupted push is noticed.
        await rest.post(`/wp/v2/menus/${id}`, { locations: [location] });
      });
    }),
  );
}

type KnownItem = { id: number; type: string; object_id: number; url: string; parent: number };

/** WordPress sends the names of menus with HTML entities. */
const decodeName = (name: string) => DomUtils.textContent(parseDocument(name));

/**
 * Adds the items that a menu lacks, with the items below them.
 * @param menu Id of the menu. @param known Its items before the push. @param parent Id of an item; 0 at the top level.
 */
async function addItems(
  target: Target,
  { menu, known }: { menu: number; known: KnownItem[] },
  items: FolderMenuItem[],
  parent = 0,
): Promise<void> {
  const { rest, pages } = target;
  for (const [index, { title, url, target: opensIn, classes, children = [] }] of items.entries()) {
    const page = pages.get(normalizePath(url));
    const destination = page ? { type: 'post_type', object: 'page', object_id: page } : { type: 'custom', url };
    const values = { title, target: opensIn, classes, parent, menus: menu, menu_order: index + 1, status: 'publish' };
    const existing = known.find(
      (item) => item.parent === parent && (page ? item.object_id === page : item.type === 'custom' && item.url === url),
    );
    const { id } = existing ?? (await rest.post('/wp/v2/menu-items', { ...values, ...destination }));
    await addItems(target, { menu, known }, children, id);
  }
}

type Texts = { [name: string]: Texts | string | number | null };

/** WordPress' settings, with the texts of each language by `optionOf`. */
type Settings = Record<string, Texts>;

/** The texts of the folder that are not set in WordPress, which sends them as null. */
function missingTexts(stored: Texts, wanted: Texts): Texts {
  const missing: Texts = {};
  for (const [name, value] of Object.entries(wanted)) {
    const existing = stored[name];
    if (value === null || value === '') continue;
    if (typeof value !== 'object') {
      if (existing === null) missing[name] = value;
    } else if (typeof existing === 'object' && existing) {
      const inner = missingTexts(existing, value);
      if (Object.keys(inner).length > 0) missing[name] = inner;
    }
  }
  return missing;
}

/** The texts of a language with the ids and addresses in WordPress. */
function textsOf(target: Target, language: FolderLanguage): Texts {
  const { texts, music } = language;
  const references = referencesFor(target, language);
  const form = texts.form as Texts | undefined;
  const audio = texts.audio as Texts | undefined;
  // `planPush` compares the texts before the forms are added. The folder's number is used until then: `null` would
  // count as no text, and the step would be skipped.
  const formId = Number(form?.form_id ?? 0);
  return {
    ...(texts as Texts),
    form: { ...form, form_id: references.formId(formId) || formId || null },
    audio: {
      ...audio,
      url: music ? references.addressOf({ url: String(audio?.url), alt: '' }) : null,
    },
  };
}

/** The texts to write, so that WordPress has all that the folder has. */
function missingTextsAndLinks(stored: Texts, { links, ...texts }: Texts): Texts {
  const missing = missingTexts(stored, texts);
  const storedLinks = (stored.links ?? {}) as Texts;
  const added = Object.entries(links ?? {}).filter(([name]) => !Object.hasOwn(storedLinks, name));
  // WordPress replaces all links at once.
  return added.length > 0 ? { ...missing, links: { ...storedLinks, ...Object.fromEntries(added) } } : missing;
}

function textSteps(target: Target, settings: Settings): Step[] {
  const { rest, languages, defaultTag } = target;
  return languages.map((language) => {
    const option = optionOf(language.tag, defaultTag);
    const missingIn = (current: Settings) => missingTextsAndLinks(current[option] ?? {}, textsOf(target, language));
    const isDone = Object.hasOwn(settings, option) && Object.keys(missingIn(settings)).length === 0;
    return createStep(`texts in ${language.tag}`, isDone ? 'all are set' : null, async () => {
      const missing = missingIn(await rest.get('/wp/v2/settings'));
      await rest.post('/wp/v2/settings', { [option]: missing });
    });
  });
}

export interface PushOptions extends Login {
  /** The folder with the content of a site. */
  directory: string;
}

/**
 * Compares a folder of content with a WordPress, and writes nothing. The steps add what WordPress lacks when they are
 * called in this order. They change nothing that it has, so they can be repeated after a failure.
 * @throws PushFailed With the reason and what to do.
 */
export async function planPush({ directory, ...login }: PushOptions): Promise<Step[]> {
  const languages = readFolder(directory);
  const rest = createRest(login);
  await checkTarget(rest, languages);
  const posts = await rest.list<Post>('/wp/v2/pages?status=any&context=edit&_fields=id,slug,parent,status,meta');
  const state: PluginState = await rest.get('/pillion/v1/push');
  const languageStep = languageSteps(rest, state, languages, posts.length === 0);
  const defaultTag = languages[0]?.tag ?? '';
  const settings = await rest.get('/wp/v2/settings');
  // WordPress remembers the page while it shows the latest posts instead.
  const front = settings.show_on_front === 'page' ? Number(settings.page_on_front ?? 0) : 0;
  const target: Target = {
    ...{ rest, directory, languages, defaultTag, hasFront: front > 0, pages: pathsOf(posts, front, defaultTag) },
    ...{ media: new Map(), originals: new Map(), forms: new Map() },
    published: new Set(posts.filter(({ status }) => status === 'publish').map(({ id }) => id)),
    translations: new Map(posts.map(({ id, meta }) => [`${meta?.[ORIGINAL]} ${meta?.[LANG]}`, id])),
  };
  const pages = pageSteps(target);
  checkAddresses(target, posts);
  return [
    ...languageStep,
    ...(await mediaSteps(target, settings)),
    ...(await formSteps(target, state)),
    ...pages,
    ...(await menuSteps(target)),
    ...textSteps(target, settings),
    ...(await redirectSteps(target)),
  ];
}
