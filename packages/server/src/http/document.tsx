import icons from 'virtual:pillion/icons';
import { createMixer } from 'virtual:pillion/music';
import { EMPTY_HEAD, type HeadTag, type PageHead, SiteAddress } from '@pillion/content/pages/page-head.ts';
import type { Look } from '@pillion/content/theme.ts';
import type { Boot, Page, Picture, PreviewBoot, ShellAnswer, ShellContent } from '@pillion/content/types.ts';
import { escapeMarkup, jsonForMarkup } from '@pillion/lib/escape.ts';
import { mediaTypeOf } from '@pillion/lib/media-types.ts';
import { createEngines } from '@pillion/motion/engines.ts';
import { Pillion } from '@pillion/react/page.tsx';
import { PreviewBar } from '@pillion/react/preview/bar.tsx';
import { isReading } from '@pillion/react/registry/kind-of-page.ts';
import { pageStyles } from '@pillion/react/registry/page-styles.ts';
import { loadTemplate } from '@pillion/react/registry/templates.ts';
import { createSite } from '@pillion/react/site/site.ts';
import { ARABIC_LETTERS, COMPOUNDS, RIGHT_TO_LEFT } from '@pillion/react/styles/language-styles.ts';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { createJsonLd } from './json-ld.ts';
import type { DocumentAssets, PageAssets } from './manifest.ts';

export interface RenderOptions {
  assets: PageAssets;
  siteUrl: string;
  env: string;
  debug: boolean;
  /** Path of the analytics script; `null`: no analytics. */
  analytics: string | null;
  /** Id of the tag manager; `null`: no tag manager. */
  tagManager: string | null;
  /** Only for the document of a preview. */
  preview?: PreviewBoot;
  /** Returns the number of sign-ups that a page shows, counted from `from`; `null` if the count is not known. */
  signUpStep?: (from: number) => number | null;
  /** Returns the address of the stylesheet of a look; `null` if it changes nothing. */
  lookAddress?: (look: Look | undefined) => string | null;
  /** Called with the time that a page took to render, in seconds. */
  onRendered?: (seconds: number) => void;
}

/** Removes analytics and tag manager, since previews are not counted. */
export const withoutAnalytics = (options: RenderOptions): RenderOptions => ({
  ...options,
  analytics: null,
  tagManager: null,
});

/**
 * Renders a page to a complete document.
 * @param head Metadata that only the document's head has.
 * @throws Errors of a template; the caller shows the error page.
 */
export async function renderPage(
  page: Page,
  shell: ShellContent,
  options: RenderOptions,
  head: PageHead = EMPTY_HEAD,
): Promise<string> {
  const template = await loadTemplate(page.template);
  const { env, debug, analytics, tagManager, preview, onRendered } = options;
  const startedAt = performance.now();
  const html = renderToString(
    <Pillion
      site={createSite({ page, template, shell })}
      engines={createEngines(createMixer)}
      asksConsent={tagManager !== null}
    />,
  );
  const boot: Boot = {
    page,
    shell,
    env,
    tools: debug || preview !== undefined,
    analytics,
    tagManager,
    build: options.assets.build,
    ...(preview && { preview }),
  };
  const document = renderDocument(boot, html, options, head);
  onRendered?.((performance.now() - startedAt) / 1000);
  return document;
}

/** @returns The number of sign-ups to show; `null` if the editor shows no number or the count is not known. */
export const signUpStepOf = ({ strings: { sign_up_number } }: ShellContent, { signUpStep }: RenderOptions) =>
  sign_up_number.from === null ? null : (signUpStep?.(sign_up_number.from) ?? null);

/** The files of a page. Only the document of a preview links the files of the preview bar. */
function assetsFor(page: Page, { assets, debug, preview }: RenderOptions): DocumentAssets {
  const assetsOfPage = assets.forTemplate(page.template, isReading(page) && !debug && !preview);
  if (!preview) return assetsOfPage;
  const { scripts, styles } = assets.forPreview(preview.kind);
  return {
    ...assetsOfPage,
    scripts: [...scripts, ...assetsOfPage.scripts],
    styles: [...assetsOfPage.styles, ...styles],
  };
}

/** Page data as a data block, which browsers do not run. */
const jsonBlock = (id: string, value: unknown) =>
  `<script type="application/json" id="${id}">${jsonForMarkup(value)}</script>`;

const startTag = (name: string, attributes: Record<string, string>) =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeMarkup(value)}"`)
    .join('')}>`;

/** @returns `''` without content. */
const metaTag = (key: 'name' | 'property', name: string, content: string | null | undefined) =>
  content ? startTag('meta', { [key]: name, content }) : '';

/** With width and height, a social network can show the picture before it has fetched it. */
const shareImageTags = ({ src, alt, width, height }: Picture, siteUrl: string) => [
  metaTag('property', 'og:image', new URL(src, siteUrl).href),
  metaTag('property', 'og:image:type', mediaTypeOf(src)),
  metaTag('property', 'og:image:width', String(width)),
  metaTag('property', 'og:image:height', String(height)),
  metaTag('property', 'og:image:alt', alt),
  metaTag('name', 'twitter:image:alt', alt),
];

/** Default tags of every page; an SEO plugin may replace them. */
const defaultTags = (brand: string, hasPicture: boolean): HeadTag[] => [
  { key: 'property', name: 'og:type', content: 'website' },
  { key: 'property', name: 'og:site_name', content: brand },
  { key: 'name', name: 'twitter:card', content: hasPicture ? 'summary_large_image' : 'summary' },
];

/** The page's tags, after the default tags that they do not replace. */
function metaTagsOf(pageTags: HeadTag[], defaults: HeadTag[], siteUrl: string): string[] {
  const missing = defaults.filter(({ name }) => !pageTags.some((one) => one.name === name));
  return [...missing, ...pageTags].map(({ key, name, content }) =>
    metaTag(key, name, content instanceof SiteAddress ? content.under(siteUrl) : content),
  );
}

function pageMetaTags({ meta, status }: Page, { tags }: PageHead, siteUrl: string, brand: string): string {
  const canonical = new URL(meta.canonical, siteUrl).href;
  const { image, share } = meta;
  return [
    `<title>${escapeMarkup(meta.title)}</title>`,
    metaTag('name', 'description', meta.description),
    metaTag('name', 'robots', meta.robots),
    // A page with `noindex` has no canonical address.
    meta.noindex ? '' : startTag('link', { rel: 'canonical', href: canonical }),
    metaTag('property', 'og:title', share.title),
    metaTag('property', 'og:description', share.description),
    // All missing paths share one document (decision 044), so it has no address.
    status === 404 || status === 410 ? '' : metaTag('property', 'og:url', canonical),
    ...(image ? shareImageTags(image, siteUrl) : []),
    ...metaTagsOf(tags, defaultTags(brand, image !== null), siteUrl),
  ].join('');
}

/** `data-later` lists the other scripts, since the starter does not know the file names of the build. */
function assetTags({ styles, scripts, starter, later }: DocumentAssets): string {
  return [
    ...styles.map((href) => startTag('link', { rel: 'stylesheet', href })),
    ...scripts.map((src) => `<script type="module" src="${src}"></script>`),
    // Low priority: the first paint does not need it.
    `<script type="module" src="${starter}" fetchpriority="low" data-later="${later.join(' ')}"></script>`,
  ].join('');
}

/** Links to the page in all languages, its own included (developers.google.com, "localized versions"). */
function translationTags(
  { translations, meta: { noindex } }: Page,
  { languages }: ShellContent,
  siteUrl: string,
): string {
  const translated = languages.filter(({ tag }) => translations?.[tag]?.isSame);
  if (noindex || translated.length < 2) return '';
  const alternate = (hreflang: string, tag: string) =>
    startTag('link', { rel: 'alternate', hreflang, href: new URL(translations?.[tag]?.path ?? '/', siteUrl).href });
  const [defaultLanguage] = languages;
  const isDefault = translated.some(({ tag }) => tag === defaultLanguage?.tag);
  return [
    ...translated.map(({ tag }) => alternate(tag, tag)),
    ...(defaultLanguage && isDefault ? [alternate('x-default', defaultLanguage.tag)] : []),
  ].join('');
}

/** Languages with long compounds, as in packages/react/src/styles/compounds.css. */
const COMPOUND_LANGUAGES = /^(?:de|nl|da|sv|nb|nn|no|fi|is|et|hu)(?:-|$)/;

/**
 * Stylesheets that a language needs in addition to the site's own. The default language loads only its own. The others
 * load those of all languages, since their pages may be stand-ins. Typefaces for right-to-left text are loaded only if
 * the language itself is right-to-left.
 */
function languageStyles({ languages, lang, dir }: ShellContent): string[] {
  const relevant = lang === languages[0]?.tag ? [{ tag: lang, dir }] : languages;
  return [
    ...(relevant.some(({ tag }) => COMPOUND_LANGUAGES.test(tag)) ? [COMPOUNDS] : []),
    ...(relevant.some((language) => language.dir === 'rtl') ? [RIGHT_TO_LEFT] : []),
    ...(dir === 'rtl' ? [ARABIC_LETTERS] : []),
  ];
}

/** A shell as `/api/shell` sends it. When visitors switch the language, the page loads these stylesheets first. */
export function withLanguageStyles(shell: ShellContent): ShellAnswer {
  const styles = languageStyles(shell);
  return styles.length > 0 ? { ...shell, styles } : shell;
}

/** Address of the web manifest; all languages but the default add their tag. */
const manifestAddress = ({ home, lang }: ShellContent) =>
  home === '/' ? '/site.webmanifest' : `/site.webmanifest?${new URLSearchParams({ lang })}`;

/** Links to the icons that the site has. */
const ICON_TAGS = [
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
]
  .filter(({ href }) => icons.includes(href.slice(1)))
  .map((link) => startTag('link', link))
  .join('');

/** Structured data (JSON-LD). As a data block it needs no permission of the Content Security Policy. */
function jsonLdBlock({ page, shell }: Boot, { schema }: PageHead, siteUrl: string): string {
  const graph = createJsonLd(page, schema, shell, siteUrl);
  return graph && `<script type="application/ld+json">${graph}</script>`;
}

/**
 * The live region for `announce`. It is outside React's root, because it may have a text before hydration (decision 070).
 * After the root it would make the document 1 px higher.
 */
const ANNOUNCER = '<div class="visually-hidden" data-announcer aria-live="polite"></div>';

/**
 * The complete document. It escapes all content of editors that is not sanitised before.
 * @param html The page as React rendered it, for the root element.
 */
function renderDocument(boot: Boot, html: string, options: RenderOptions, head: PageHead): string {
  const { page, shell, env } = boot;
  const { siteUrl, debug, preview, lookAddress } = options;
  const assets = assetsFor(page, options);
  const look = lookAddress?.(shell.strings.look) ?? null;
  const signUpStep = signUpStepOf(shell, options);
  const bar = preview ? renderToStaticMarkup(<PreviewBar preview={preview} />) : '';
  const htmlTag = startTag('html', {
    lang: page.lang,
    dir: shell.dir,
    'data-stage': 'waiting',
    'data-theme': page.theme,
    'data-template': page.template ?? '',
    'data-env': env,
    ...(signUpStep === null ? {} : { 'data-sign-ups': String(signUpStep) }),
    ...(shell.strings.audio.tone && { 'data-music': shell.strings.audio.tone }),
    ...(debug ? { 'data-debug': '' } : {}),
  });
  // The look overrides the site's own values, so it is last.
  const styles = [...assets.styles, ...pageStyles(page), ...languageStyles(shell), ...(look ? [look] : [])];
  const headTags = [
    '<meta charset="utf-8">',
    assets.extraHead,
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    pageMetaTags(page, head, siteUrl, shell.strings.brand),
    translationTags(page, shell, siteUrl),
    assetTags({ ...assets, styles }),
    ICON_TAGS,
    startTag('link', { rel: 'manifest', href: manifestAddress(shell) }),
    jsonLdBlock(boot, head, siteUrl),
  ].join('');
  return `<!doctype html>${htmlTag}<head>${headTags}</head><body>${ANNOUNCER}<div id="root">${html}</div>${bar}${jsonBlock('boot', boot)}</body></html>`;
}
