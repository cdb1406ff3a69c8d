import { DEFAULT_STRINGS, TEXTS } from '@pillion/content/wordpress/default-strings.ts';
import { endpointPath, PREFIXES } from '@pillion/content/wordpress/endpoints.ts';
import { createRewriter, MEDIA_PREFIX } from '@pillion/content/wordpress/rewrite.ts';
import { isObject, valueAt } from '@pillion/content/wordpress/schemas.ts';
import { fetchUpload, uploadFolders, uploadPaths } from '@pillion/content/wordpress/uploads.ts';
import { mediaName, mediaTypeOf } from '@pillion/lib/media-types.ts';
import { broken, type Finding, joinNames, ok, PLUGIN_ABSENT, skipped, warning } from './finding.ts';
import { type Check, errorCodeOf, errorReasonOf, hasPlugin, type Probe } from './probe.ts';

/** Explains why the site cannot use the response at `path`. */
async function explainUnusable(probe: Probe, path: string, error: { message: string }): Promise<Finding> {
  const seen = await probe.look(path);
  if (seen.ok && errorCodeOf(seen.data) === 'rest_no_route') return PLUGIN_ABSENT;
  return broken(
    `It cannot be used: ${error.message}.`,
    'Look for a plugin or firewall that changes responses of the REST API.',
  );
}

async function checkPages(probe: Probe): Promise<Finding> {
  if (!(await hasPlugin(probe))) return PLUGIN_ABSENT;
  const { lang } = probe;
  const path = endpointPath({ name: 'routes', lang });
  const read = await probe.source.routes(lang, probe.readOptions);
  const seen = await probe.look(path);
  if (seen.ok && Array.isArray(seen.data.data) && seen.data.data.length === 0)
    return broken('WordPress has no published page.', 'Publish a page in WordPress.');
  if (!read.ok) return explainUnusable(probe, path, read.error);
  const count = `${read.data.length} ${read.data.length === 1 ? 'page' : 'pages'}`;
  const invalid = probe.dropped.filter(({ event }) => event === 'content.route-dropped').length;
  if (invalid > 0)
    return warning(`${count}; ${invalid} more are invalid.`, 'Give these pages a slug of letters, digits and dashes.');
  if (!read.data.some(({ isFront }) => isFront))
    return broken(
      `${count}, and none is the front page.`,
      'In WordPress, Settings → Reading: let the homepage show a static page, and choose it.',
    );
  return ok(`${count}, including the front page.`);
}

/** Texts of the brand, which have no useful default. */
const OWN_TEXTS = TEXTS.filter(({ isOwn }) => isOwn).map(({ path }) => path);

/** Paths of all texts, such as `labels.join`. @param prefix The path of the group, with a dot at its end. */
function listPaths(texts: object, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([name, value]) =>
    isObject(value) ? listPaths(value, `${prefix}${name}.`) : [`${prefix}${name}`],
  );
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** These texts may be empty: the site then shows nothing in their place. */
const OPTIONAL_TEXTS = TEXTS.filter(({ isOptional }) => isOptional).map(({ path }) => path);
/** `target` says whether a link opens a new tab; empty: the same tab. */
const mayBeEmpty = (path: string) => OPTIONAL_TEXTS.includes(path) || path.endsWith('.target');

async function checkTexts(probe: Probe): Promise<Finding[]> {
  if (!(await hasPlugin(probe))) return [PLUGIN_ABSENT];
  const { lang } = probe;
  const path = endpointPath({ name: 'strings', lang });
  const read = await probe.source.strings(lang, probe.readOptions);
  if (!read.ok) return [await explainUnusable(probe, path, read.error)];
  const seen = await probe.look(path);
  /** As WordPress sends them, without the site's defaults. */
  const wire = seen.ok ? seen.data.data : {};
  const missing = listPaths(DEFAULT_STRINGS).filter((name) => !mayBeEmpty(name) && isEmpty(valueAt(wire, name)));
  const missingOfBrand = OWN_TEXTS.filter((name) => missing.includes(name));
  const colophon = valueAt(wire, 'footer.colophon');
  // The default colophon shows the number too.
  const needsNumber = isEmpty(colophon) || String(colophon).includes('{number}');
  if (needsNumber && isEmpty(valueAt(wire, 'number'))) missingOfBrand.push('number');
  const invalid = probe.dropped.filter(({ event }) => event === 'content.string-unreadable');
  const others = missing.filter((name) => !missingOfBrand.includes(name));
  const defaults =
    others.length > 0 ? `${others.length} texts are the site’s own defaults: ${joinNames(others, 4)}` : '';
  const found: Finding[] = invalid.map(({ details }) =>
    warning(`The text ${details.string} is invalid; a default is shown.`, 'In WordPress, Pillion: enter it again.'),
  );
  if (missingOfBrand.length > 0)
    found.push(
      warning(
        `Not filled in: ${missingOfBrand.map((name) => `${name} (shown: ${describeFallback(name)})`).join(', ')}${defaults && `; ${defaults}`}.`,
        'In WordPress, Pillion: fill in these texts and save.',
      ),
    );
  return found.length > 0
    ? found
    : [ok(defaults ? `The texts of the brand are filled in; ${defaults}.` : 'All are filled in.')];
}

function describeFallback(name: string): string {
  const fallback = valueAt(DEFAULT_STRINGS, name);
  return isEmpty(fallback) ? 'nothing' : `“${fallback}”`;
}

async function checkTranslations(probe: Probe): Promise<Finding[]> {
  const facts = await probe.facts();
  if (!facts) return [PLUGIN_ABSENT];
  if (facts.untranslated.length === 0) return [ok('Visitors read the site’s texts in the language of each page.')];
  return facts.untranslated.map(({ name, texts }) =>
    warning(
      `${name}: ${texts.length} texts are not in this language, so pages show them in another one: ${joinNames(texts, 4)}.`,
      `In WordPress, Pillion → Texts: translate them for ${name} and save.`,
    ),
  );
}

/** Names of the menu locations in WordPress. */
const LOCATIONS = { main_menu: 'Main menu', social_menu: 'Social networks', legals_menu: 'Legal pages' } as const;

/** Items of a menu, or of the `children` of an item, which are a list. */
const itemsOf = (menu: unknown): unknown[] => {
  const items = isObject(menu) ? menu.items : menu;
  return Array.isArray(items) ? items : [];
};

/** @param menu As WordPress sends it. */
function findMenuProblems(name: string, menu: unknown, shownCount: number): Finding[] {
  if (isEmpty(menu))
    return [
      warning(
        `“${name}” has no menu.`,
        `In WordPress, Appearance → Menus → Manage Locations: choose one for “${name}”.`,
      ),
    ];
  const items = itemsOf(menu);
  if (items.length === 0)
    return [
      warning(
        `The menu at “${name}” is empty.`,
        'In WordPress, Appearance → Menus: add items whose pages are published.',
      ),
    ];
  const found: Finding[] = [];
  if (items.some((item) => isObject(item) && itemsOf(item.children).length > 0))
    found.push(
      warning(
        `“${name}” has items below other items. The site does not show them.`,
        'In WordPress, Appearance → Menus: move them to the first level.',
      ),
    );
  const hiddenCount = items.length - shownCount;
  if (hiddenCount > 0)
    found.push(
      warning(
        `${hiddenCount} items at “${name}” have no target, so the site does not show them.`,
        'In WordPress, Appearance → Menus: give each a title and an address.',
      ),
    );
  return found;
}

async function checkMenus(probe: Probe): Promise<Finding[]> {
  if (!(await hasPlugin(probe))) return [PLUGIN_ABSENT];
  const { lang } = probe;
  const path = endpointPath({ name: 'menus', lang });
  const read = await probe.source.menus(lang, probe.readOptions);
  if (!read.ok) return [await explainUnusable(probe, path, read.error)];
  const seen = await probe.look(path);
  const wire = seen.ok && isObject(seen.data.data) ? seen.data.data : {};
  const found = Object.entries(LOCATIONS).flatMap(([location, name]) =>
    findMenuProblems(name, wire[location], read.data[location as keyof typeof LOCATIONS].items.length),
  );
  return found.length > 0 ? found : [ok('All three locations have a menu.')];
}

/** Maximum pictures read to find one of a type that the site serves. */
const MAX_PICTURES_READ = 20;

/** The newest picture of the media library that the site serves: its address in WordPress, and its path on the site. */
export async function newestPicture(probe: Probe): Promise<{ address: string; path: string | null } | null> {
  const { lang } = probe;
  const seen = await probe.look(
    `${PREFIXES.core}/media?per_page=${MAX_PICTURES_READ}&media_type=image&_fields=source_url&lang=${lang}`,
  );
  const pictures: unknown[] = seen.ok && Array.isArray(seen.data.data) ? seen.data.data : [];
  const addresses = pictures.map((picture) => (isObject(picture) ? String(picture.source_url) : ''));
  // Others, such as SVG, keep their address in WordPress.
  const address = addresses.find((url) => mediaTypeOf(url.replace(/[?#].*/, '')) !== null);
  return address ? { address, path: await pathOnSite(probe, address) } : null;
}

/** @returns The path at which the site serves an upload; `null`: the site does not fetch it. */
async function pathOnSite(probe: Probe, address: string): Promise<string | null> {
  const index = await probe.index();
  if (!index) return null;
  const { url } = probe.wordpress;
  const folders = uploadFolders(url, index).map(({ written }) => written);
  return createRewriter([url, index.home, index.url], () => {}, folders).media(address);
}

const KEEP_UPLOADS =
  'Keep uploads on the host of WordPress: switch off the option upload_url_path, or the CDN or offload plugin that moves them.';

/**
 * Checks whether the site can fetch the newest picture. Without a picture it checks only whether the site would fetch
 * from the uploads folder that the plugin reports.
 */
async function checkPictures(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  const index = await probe.index();
  if (!index) return skipped('The REST API cannot be read.');
  const { url } = probe.wordpress;
  const picture = await newestPicture(probe);
  const example = picture?.address ?? (facts && `${facts.uploads}/picture.webp`);
  if (example === null) return ok('WordPress has no picture yet.');
  const path = await pathOnSite(probe, example);
  const name = path && mediaName(path.slice(MEDIA_PREFIX.length));
  if (!name)
    return broken(
      `Pictures have addresses such as ${example}, which the site does not fetch: pages show no pictures.`,
      KEEP_UPLOADS,
    );
  if (picture === null) return ok('WordPress has no picture yet.');
  const file = await fetchUpload(probe.client, url, index, name);
  const fileUrl = new URL(uploadPaths(url, index, name)[0], url).href;
  if (!file.ok)
    return broken(
      `The newest picture cannot be fetched from ${fileUrl} (${errorReasonOf(file.error)}).`,
      'Let the web server serve this address without password or hotlink protection, and check that the file exists.',
    );
  const type = file.data.headers['content-type'] ?? '';
  file.data.cancel();
  return type.startsWith('image/')
    ? ok('The site can fetch pictures of the media library.')
    : broken(
        `${fileUrl} answers ${type || 'something without a type'} instead of a picture.`,
        'Check which program answers at this address.',
      );
}

export const CONTENT: Check[] = [
  { group: 'Content', name: 'pages', run: checkPages },
  { group: 'Content', name: 'texts', run: checkTexts },
  { group: 'Content', name: 'translated texts', run: checkTranslations },
  { group: 'Content', name: 'menus', run: checkMenus },
  { group: 'Content', name: 'pictures', run: checkPictures },
];
