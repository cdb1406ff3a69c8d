import { createMixer } from 'virtual:pillion/music';
import { EMPTY_HEAD, type HeadTag, type PageHead, SiteAddress } from '@pillion/content/pages/page-head.ts';
import type { Boot, Page, Picture, PreviewBoot, ShellAnswer, ShellContent } from '@pillion/content/types.ts';
import { escapeMarkup, jsonForMarkup } from '@pillion/lib/escape.ts';
import { mediaTypeOf } from '@pillion/lib/media-types.ts';
import { createEngines } from '@pillion/motion/engines.ts';
import { Pillion } from '@pillion/react/page.tsx';
import { PreviewBar } from '@pillion/react/preview/bar.tsx';
import { pageStyles } from '@pillion/react/registry/page-styles.ts';
import { loadTemplate } from '@pillion/react/registry/templates.ts';
import { createSite } from '@pillion/react/site/site.ts';
import { ARABIC_LETTERS, COMPOUNDS, RIGHT_TO_LEFT } from '@pillion/react/styles/language-styles.ts';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { jsonLd } from './json-ld.ts';
import type { DocumentAssets, PageAssets } from './manifest.ts';

export interface RenderOptions {
  assets: PageAssets;
  siteUrl: string;
  env: string;
  debug: boolean;
  /** Path of the analytics script, `null` where there is none. */
  analytics: string | null;
  /** Id of the tag manager, `null` where there is none. */
  tagManager: string | null;
  /** Only of a preview's document. */
  preview?: PreviewBoot;
  /** What a page shows of the number of sign-ups, counted from a number on; `null`: the count is not known. */
  signUpStep?: (from: number) => number | null;
  /** Told how long a page took to render, in seconds. */
  onRendered?: (seconds: number) => void;
}

/** The same without anything that counts who looks: nobody is counted in a preview. */
export const unmeasured = (options: RenderOptions): RenderOptions => ({
  ...options,
  analytics: null,
  tagManager: null,
});

/**
 * Renders one page to a whole document.
 * @param head What only the document's head says of the page.
 * @throws What a template throws while rendering; the caller shows the error page.
 */
export async function renderPage(
  page: Page,
  shell: ShellContent,
  options: RenderOptions,
  head: PageHead = EMPTY_HEAD,
): Promise<string> {
  const template = await loadTemplate(page.template);
  const { env, debug, analytics, tagManager, preview, onRendered } = options;
  const begun = performance.now();
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
  const document = renderDocument({
    boot,
    signUpStep: signUpStepOf(shell, options),
    debug,
    head,
    html,
    assets: assetsFor(page, options),
    bar: preview ? renderToStaticMarkup(<PreviewBar preview={preview} page={page} shell={shell} />) : '',
    siteUrl: options.siteUrl,
  });
  onRendered?.((performance.now() - begun) / 1000);
  return document;
}

/** @returns What the page shows of the number of sign-ups; `null`: nothing, since no number is to be shown or known. */
export const signUpStepOf = ({ strings: { sign_up_number } }: ShellContent, { signUpStep }: RenderOptions) =>
  sign_up_number.from === null ? null : (signUpStep?.(sign_up_number.from) ?? null);

/** A preview's document brings the bar's files; a visitor's knows nothing of them. */
function assetsFor(page: Page, { assets, preview }: RenderOptions): DocumentAssets {
  const own = assets.forTemplate(page.template);
  if (!preview) return own;
  const { scripts, styles } = assets.forPreview(preview.kind);
  return { ...own, scripts: [...scripts, ...own.scripts], styles: [...own.styles, ...styles] };
}

/** Page data as a data block, which a browser takes for no script. */
const jsonBlock = (id: string, value: unknown) =>
  `<script type="application/json" id="${id}">${jsonForMarkup(value)}</script>`;

const tagOf = (name: string, attributes: Record<string, string>) =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeMarkup(value)}"`)
    .join('')}>`;

const meta = (key: 'name' | 'property', name: string, content: string | undefined) =>
  content ? tagOf('meta', { [key]: name, content }) : '';

/** With its measures, a network shows a picture before it has fetched it. */
const sharedPicture = ({ src, alt, width, height }: Picture, siteUrl: string) => [
  meta('property', 'og:image', new URL(src, siteUrl).href),
  meta('property', 'og:image:type', mediaTypeOf(src) ?? undefined),
  meta('property', 'og:image:width', String(width)),
  meta('property', 'og:image:height', String(height)),
  meta('property', 'og:image:alt', alt),
  meta('name', 'twitter:image:alt', alt),
];

/** What every page says of itself; an SEO plugin may say something else. */
const ownTags = (brand: string, hasPicture: boolean): HeadTag[] => [
  { key: 'property', name: 'og:type', content: 'website' },
  { key: 'property', name: 'og:site_name', content: brand },
  { key: 'name', name: 'twitter:card', content: hasPicture ? 'summary_large_image' : 'summary' },
];

function tagsOf(said: HeadTag[], own: HeadTag[], siteUrl: string): string[] {
  const unsaid = own.filter(({ name }) => !said.some((one) => one.name === name));
  return [...unsaid, ...said].map(({ key, name, content }) =>
    meta(key, name, content instanceof SiteAddress ? content.under(siteUrl) : content),
  );
}

function pageMeta({ meta: about, status }: Page, { tags }: PageHead, siteUrl: string, brand: string): string {
  const canonical = new URL(about.canonical, siteUrl).href;
  const { image, share } = about;
  return [
    `<title>${escapeMarkup(about.title)}</title>`,
    meta('name', 'description', about.description),
    meta('name', 'robots', about.robots),
    // A page that is not to be indexed has no canonical form of its own.
    about.noindex ? '' : tagOf('link', { rel: 'canonical', href: canonical }),
    meta('property', 'og:title', share.title),
    meta('property', 'og:description', share.description),
    // One document stands for every path that leads nowhere (decision 044): none of them is its address.
    status === 404 || status === 410 ? '' : meta('property', 'og:url', canonical),
    ...(image ? sharedPicture(image, siteUrl) : []),
    ...tagsOf(tags, ownTags(brand, image !== null), siteUrl),
  ].join('');
}

/** The starter is told where the rest lies: it is a file like any other, and knows no build's names. */
function assetTags({ styles, scripts, starter, later }: DocumentAssets): string {
  return [
    ...styles.map((href) => tagOf('link', { rel: 'stylesheet', href })),
    ...scripts.map((src) => `<script type="module" src="${src}"></script>`),
    // Nothing waits for it: what the first paint needs goes before it.
    `<script type="module" src="${starter}" fetchpriority="low" data-later="${later.join(' ')}"></script>`,
  ].join('');
}

/** Where the same page stands in other languages (developers.google.com, "localized versions"): each names them all, itself too. */
function translationTags(
  { translations, meta: { noindex } }: Page,
  { languages }: ShellContent,
  siteUrl: string,
): string {
  const same = languages.filter(({ tag }) => translations?.[tag]?.isSame);
  if (noindex || same.length < 2) return '';
  const alternate = (hreflang: string, tag: string) =>
    tagOf('link', { rel: 'alternate', hreflang, href: new URL(translations?.[tag]?.path ?? '/', siteUrl).href });
  const [standard] = languages;
  const isDefault = same.some(({ tag }) => tag === standard?.tag);
  return [
    ...same.map(({ tag }) => alternate(tag, tag)),
    ...(standard && isDefault ? [alternate('x-default', standard.tag)] : []),
  ].join('');
}

/** Languages of long compounds: those that packages/react/src/styles/compounds.css names. */
const OF_COMPOUNDS = /^(?:de|nl|da|sv|nb|nn|no|fi|is|et|hu)(?:-|$)/;

/**
 * Sheets that a language needs beside the site's own. The default pays for no other. A page in another may stand in for what
 * that lacks, in whatever language, so all but the default have what any of them needs, letters aside.
 */
function languageStyles({ languages, lang, dir }: ShellContent): string[] {
  const shown = lang === languages[0]?.tag ? [{ tag: lang, dir }] : languages;
  return [
    ...(shown.some(({ tag }) => OF_COMPOUNDS.test(tag)) ? [COMPOUNDS] : []),
    ...(shown.some((language) => language.dir === 'rtl') ? [RIGHT_TO_LEFT] : []),
    ...(dir === 'rtl' ? [ARABIC_LETTERS] : []),
  ];
}

/** A shell as `/api/shell` sends it: whoever changes to its language within the page fetches its sheets before it is shown. */
export function shellAnswerOf(shell: ShellContent): ShellAnswer {
  const styles = languageStyles(shell);
  return styles.length > 0 ? { ...shell, styles } : shell;
}

/** The manifest of a language but the default is asked for by its tag. */
const manifestOf = ({ home, lang }: ShellContent) =>
  home === '/' ? '/site.webmanifest' : `/site.webmanifest?${new URLSearchParams({ lang })}`;

const ICONS =
  '<link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/apple-touch-icon.png">';

/** A data block: nothing the policy for scripts would have to allow. */
function linkedData({ page, shell }: Boot, { schema }: PageHead, siteUrl: string): string {
  const graph = jsonLd(page, schema, shell, siteUrl);
  return graph && `<script type="application/ld+json">${graph}</script>`;
}

interface DocumentParts {
  boot: Boot;
  /** What the site's look shows of the number of sign-ups; `null`: it is not told. */
  signUpStep: number | null;
  /** Whether the debug panel is shown. */
  debug: boolean;
  head: PageHead;
  /** React's own rendering of the page, for its root element. */
  html: string;
  /** Stands behind the root element of a preview; blank: there is none. */
  bar: string;
  assets: DocumentAssets;
  siteUrl: string;
}

/** The whole document around the rendered page. Everything of the editor's is escaped here or was sanitised before. */
function renderDocument({ boot, signUpStep, debug, head, html, bar, assets, siteUrl }: DocumentParts): string {
  const { page, shell, env } = boot;
  const root = tagOf('html', {
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
  return `<!doctype html>${root}<head><meta charset="utf-8">${assets.extraHead}<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">${pageMeta(page, head, siteUrl, shell.strings.brand)}${translationTags(page, shell, siteUrl)}${assetTags({ ...assets, styles: [...assets.styles, ...pageStyles(page), ...languageStyles(shell)] })}${ICONS}${tagOf('link', { rel: 'manifest', href: manifestOf(shell) })}${linkedData(boot, head, siteUrl)}</head><body><div id="root">${html}</div>${bar}${jsonBlock('boot', boot)}</body></html>`;
}
