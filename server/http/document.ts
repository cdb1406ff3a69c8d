import type { Boot, Page, Picture } from '../../app/content/types.ts';
import { pageStyles } from '../../app/ui/page-styles.ts';
import { mediaTypeOf } from '../content/media-types.ts';
import { jsonLd } from './json-ld.ts';
import type { DocumentAssets } from './manifest.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Page data as a data block: `<` is escaped so that no text of the editor's can end it. */
const jsonBlock = (id: string, value: unknown) =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replace(/</g, '\\u003c')}</script>`;

const tag = (name: string, attributes: Record<string, string>) =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
    .join('')}>`;

const meta = (key: 'name' | 'property', name: string, content: string | undefined) =>
  content ? tag('meta', { [key]: name, content }) : '';

/** With its measures, a network shows a picture before it has fetched it. */
const sharedPicture = ({ src, alt, width, height }: Picture, siteUrl: string) => [
  meta('property', 'og:image', new URL(src, siteUrl).href),
  meta('property', 'og:image:type', mediaTypeOf(src) ?? undefined),
  meta('property', 'og:image:width', String(width)),
  meta('property', 'og:image:height', String(height)),
  meta('property', 'og:image:alt', alt),
  meta('name', 'twitter:image:alt', alt),
];

function pageMeta({ meta: about }: Page, siteUrl: string, brand: string): string {
  const canonical = new URL(about.canonical, siteUrl).href;
  const { image, share } = about;
  return [
    `<title>${escapeHtml(about.title)}</title>`,
    meta('name', 'description', about.description),
    // A page that is not to be indexed has no canonical form of its own.
    about.noindex ? meta('name', 'robots', 'noindex') : tag('link', { rel: 'canonical', href: canonical }),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', brand),
    meta('property', 'og:title', share.title),
    meta('property', 'og:description', share.description),
    meta('property', 'og:url', canonical),
    ...(image ? sharedPicture(image, siteUrl) : []),
    meta('name', 'twitter:card', image ? 'summary_large_image' : 'summary'),
  ].join('');
}

function assetTags({ styles, fonts, scripts, preloads }: DocumentAssets): string {
  return [
    ...styles.map((href) => tag('link', { rel: 'stylesheet', href })),
    ...fonts.map((href) => tag('link', { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: '' })),
    ...scripts.map((src) => `<script type="module" src="${src}"></script>`),
    ...preloads.map((href) => tag('link', { rel: 'modulepreload', href })),
  ].join('');
}

const ICONS =
  '<link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/site.webmanifest">';

/** A data block: nothing the policy for scripts would have to allow. */
function linkedData({ page, shell: { strings, menus } }: Boot, siteUrl: string): string {
  const networks = menus.social_menu.items.filter(({ network }) => network !== null).map(({ url }) => url);
  const graph = jsonLd(page, strings, networks, siteUrl);
  return graph && `<script type="application/ld+json">${graph}</script>`;
}

/** What only the head says need not be said again to the script. */
export const withoutHead = (page: Page): Page => ({ ...page, meta: { ...page.meta, schema: [] } });

export interface DocumentParts {
  boot: Boot;
  /** React's own rendering of the page, for its root element. */
  html: string;
  assets: DocumentAssets;
  siteUrl: string;
}

/** The whole document around the rendered page. Everything of the editor's is escaped here or was sanitised before. */
export function renderDocument({ boot, html, assets, siteUrl }: DocumentParts): string {
  const { page, shell, env, debug } = boot;
  const root = tag('html', {
    lang: page.lang,
    'data-stage': 'waiting',
    'data-theme': page.theme,
    'data-template': page.template ?? '',
    'data-env': env,
    ...(debug ? { 'data-debug': '' } : {}),
  });
  return `<!doctype html>${root}<head><meta charset="utf-8">${assets.extraHead}<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">${pageMeta(page, siteUrl, shell.strings.brand)}${assetTags({ ...assets, styles: [...assets.styles, ...pageStyles(page)] })}${ICONS}${linkedData(boot, siteUrl)}</head><body><div id="root">${html}</div>${jsonBlock('boot', { ...boot, page: withoutHead(page) })}</body></html>`;
}
