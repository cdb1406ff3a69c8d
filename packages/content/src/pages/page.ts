import type { Form } from '@pillion/forms/form.ts';
import { mediaTypeOf } from '@pillion/lib/media-types.ts';
import { cutAtWord, textOf } from '../text/plain-text.ts';
import { withEagerPicture } from '../text/rich-text.ts';
import type { InlineText, Page, PageMeta, Picture, Section, Strings, Theme } from '../types.ts';
import { DECLARED } from '../wordpress/declared.ts';
import type { Warn } from '../wordpress/result.ts';
import { readableText } from './excerpt.ts';
import type { PageContent } from './page-content.ts';
import type { PageHead } from './page-head.ts';
import { canonicalFor, type Route, routesAbove } from './routes.ts';
import type { KeptSection, OpenSignUp } from './sections.ts';
import { addressOfCard, type Card, SHARE_SIZE } from './share-card.ts';

/** Template of pages with sections and a hero. */
const LANDING = 'landing';

export interface PageParts {
  route: Route;
  content: PageContent;
  strings: Strings;
  /** All routes, to find the parent pages. */
  routes: Route[];
  lang: string;
  /** Returns a form by number, 0 for the site's own; `null` if it cannot be read. */
  form: (id: number) => Promise<Form | null>;
  warn: Warn;
}

const createHero = (title: string): KeptSection => ({
  type: 'hero',
  heading: [{ text: title, mark: null }] satisfies InlineText,
  picture: null,
  portrait: null,
  film: null,
});

const EMPTY_SIGN_UP: OpenSignUp = {
  type: 'sign-up',
  kicker: '',
  heading: [],
  text: '',
  picture: null,
  portrait: null,
  form_id: 0,
};

/**
 * A landing page without known sections (with blocks of another plugin, or empty) gets a hero with its title, and the
 * form. On one with sections and no hero the template shows the title.
 */
function withHeroAndForm(sections: KeptSection[], title: string): KeptSection[] {
  const hasOwn = sections.some((section) => section.type !== 'rich-text');
  return hasOwn ? sections : [createHero(title), ...sections, EMPTY_SIGN_UP];
}

/** A page that begins with text shows the first picture of it early. */
const withEarlyPicture = (section: KeptSection, at: number): KeptSection =>
  at === 0 && section.type === 'rich-text' ? { ...section, html: withEagerPicture(section.html) } : section;

async function withForm(section: KeptSection, form: PageParts['form']): Promise<Section> {
  if (section.type !== 'sign-up') return section;
  const { form_id, ...rest } = section;
  return { ...rest, form: await form(form_id) };
}

/** A template that editors cannot choose is treated as rich text and logged (R2). */
function templateOf({ route, content, warn }: PageParts): string | null {
  const name = content.template || route.template;
  if (name === '' || name === 'default') return null;
  if (Object.hasOwn(DECLARED.templates, name)) return name;
  warn('content.template-unknown', { page: route.path, template: name });
  return null;
}

const IMAGE = /<img [^>]*?src="(\/media\/[^"]+)"[^>]*>/;

/** Returns the first picture of sanitized rich text, whose attributes are in double quotes. */
function firstPictureInHtml(html: string): Picture | null {
  const [tag, src] = IMAGE.exec(html) ?? [];
  if (!tag || !src) return null;
  const size = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(tag)?.[1] ?? 0);
  const width = size('width');
  return { src, alt: '', width, height: size('height'), sources: [{ src, width }] };
}

const isPicture = (value: unknown): value is Picture =>
  typeof value === 'object' && value !== null && 'sources' in value;

/** Returns the first picture of a section, else of its items. */
function firstPictureInValues(values: object): Picture | null {
  const members: unknown[] = Object.values(values);
  const items = members.flatMap((member) => (Array.isArray(member) ? member : []));
  return members.find(isPicture) ?? items.flatMap((item: object) => Object.values(item)).find(isPicture) ?? null;
}

/** Returns the first picture of a page, used for shared links. */
export function firstPicture(sections: (Section | KeptSection)[]): Picture | null {
  for (const section of sections) {
    const picture = section.type === 'rich-text' ? firstPictureInHtml(section.html) : firstPictureInValues(section);
    if (picture) return picture;
  }
  return null;
}

/** Returns the headline of the first hero; empty without one. */
const heroHeading = (sections: (Section | KeptSection)[]): InlineText =>
  sections.find((section) => section.type === 'hero')?.heading ?? [];

/** Title of the front page: the brand and the hero's headline. Title of other pages: their own. */
function documentTitle(route: Route, title: string, sections: Section[], brand: string): string {
  if (!route.isFront) return title === '' || title === brand ? brand : `${title} | ${brand}`;
  const headline = textOf(heroHeading(sections));
  return headline === '' || headline === brand ? brand : `${brand} | ${headline}`;
}

/** Length of a generated description, in characters: enough to tell results apart. */
const FALLBACK_DESCRIPTION_LENGTH = 160;

/** Returns the first words of a page without a description, so that every page has a unique one. */
const fallbackDescription = (content: PageContent): string =>
  cutAtWord(readableText(content), FALLBACK_DESCRIPTION_LENGTH);

const themeFor = ({ route, content }: Pick<PageParts, 'route' | 'content'>): Theme =>
  content.theme ?? route.theme ?? 'dark';

type ShareParts = Pick<PageParts, 'route' | 'content' | 'strings' | 'routes'>;

/** Content of the share picture: the page's headline over its first picture or the one that the editor chose. */
function cardOf({ route, content, strings, routes }: ShareParts): Card {
  const heading = heroHeading(content.sections);
  const { brand, logo, look } = strings;
  return {
    title: heading.length > 0 ? heading : [{ text: content.title, mark: null }],
    kicker: routesAbove(routes, route).at(-1)?.title ?? '',
    brand,
    logo,
    theme: themeFor({ route, content }),
    picture: content.metaImage ?? firstPicture(content.sections),
    isChosen: content.metaImage !== null,
    ...(look && { look }),
  };
}

/** File types that all networks show. */
const SHARABLE = ['image/jpeg', 'image/png'];

/** @returns The share picture of a page, and the card to draw it from. A chosen JPEG or PNG is used unchanged. */
export function shareOf(parts: ShareParts): { picture: Picture; card: Card | null } {
  const { metaImage } = parts.content;
  if (metaImage && SHARABLE.includes(mediaTypeOf(metaImage.src) ?? '')) return { picture: metaImage, card: null };
  const card = cardOf(parts);
  const src = addressOfCard(card, parts.route.path);
  const alt = metaImage?.alt || textOf(card.title);
  return { picture: { src, alt, ...SHARE_SIZE, sources: [{ src, width: SHARE_SIZE.width }] }, card };
}

function metaOf(parts: PageParts, sections: Section[]): PageMeta {
  const { route, content, strings, routes } = parts;
  const title = content.metaTitle || documentTitle(route, content.title, sections, strings.brand);
  const description = content.description || fallbackDescription(content) || strings.description;
  const noindex = content.noindex || route.noindex;
  return {
    title,
    description,
    canonical: canonicalFor(routes, route, content.canonical),
    noindex,
    robots: content.robots || (noindex ? 'noindex' : ''),
    image: shareOf(parts).picture,
    share: { title: content.shareTitle || title, description: content.shareDescription || description },
    trail: routesAbove(routes, route).map(({ title, path }) => ({ title, path })),
  };
}

/** Returns the tags of an SEO plugin for the document's head. */
export function headOf({ isFront }: Route, { head }: PageContent): PageHead {
  if (!isFront) return head;
  // Yoast SEO reports the front page as an article over REST, but as a website in WordPress' own head.
  return { ...head, tags: head.tags.filter(({ name }) => name !== 'og:type') };
}

/** Combines a page's content with strings, forms and template into the page that visitors get. */
export async function pageOf(parts: PageParts): Promise<Page> {
  const { route, content, lang } = parts;
  const template = templateOf(parts);
  const contentSections = template === LANDING ? withHeroAndForm(content.sections, content.title) : content.sections;
  const sections = await Promise.all(
    contentSections.map(withEarlyPicture).map((section) => withForm(section, parts.form)),
  );
  return {
    path: route.path,
    status: 200,
    lang,
    title: content.title,
    template,
    theme: themeFor(parts),
    sections,
    meta: metaOf(parts, sections),
    outcome: null,
    search: null,
  };
}
