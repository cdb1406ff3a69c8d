import { escapeMarkup } from '@pillion/lib/escape.ts';
import sanitizeHtml, { type Attributes, type IOptions } from 'sanitize-html';
import { EMBED } from '../embeds.ts';
import type { Warn } from '../wordpress/result.ts';
import type { Rewriter } from '../wordpress/rewrite.ts';
import { cutAtWord, NESTING_LIMIT, plainText, UNREADABLE_TAGS } from './plain-text.ts';
import { videoAt } from './video.ts';

/** Classes of core blocks for the stylesheet, as patterns, since WordPress changes names between versions. */
const BLOCK_CLASSES = ['wp-block-*', 'wp-element-*', 'align*', 'has-*', 'is-*', 'blocks-gallery-*', 'size-*', 'fn'];

/** Class of a picture of unknown size, for which the stylesheet reserves space. */
const UNSIZED_CLASS = 'has-unknown-size';

/** Ids of the page itself. A block with such an id would receive their links and labels. */
const RESERVED_IDS = new Set(['form', 'inner-form', 'root', 'main', 'content', 'footer', 'header', 'boot', 'page']);

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6'];

/** Allowed elements. */
const INLINE =
  'a abbr b bdi bdo br cite code del em i ins kbd mark q s samp small span strong sub sup time u var wbr'.split(' ');
const BLOCKS = [
  ...'blockquote dd details div dl dt figcaption figure hr img li ol p pre summary ul audio video track'.split(' '),
  ...HEADINGS,
];
const TABLE = ['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'];

/** Landmarks that become `div` elements, because the shell has them. */
const LANDMARKS = ['main', 'header', 'footer', 'nav', 'aside', 'section', 'article', 'address', 'center'];

/** `rel` values that editors may set. The site sets all others. */
const ALLOWED_REL = new Set(['nofollow', 'sponsored', 'ugc', 'license', 'author', 'tag']);

const isPixelSize = (value: string | undefined) => /^[1-9]\d{0,4}$/.test(value ?? '');

/** Keeps only the listed attributes, so that new attributes of HTML are harmless. */
const pick = (attributes: Attributes, names: string[]): Attributes =>
  Object.fromEntries(names.flatMap((name) => (name in attributes ? [[name, attributes[name] ?? '']] : [])));

const COMMON_ATTRIBUTES = ['class', 'lang', 'dir'];

/** Ids of WordPress' footnotes and of the references to them. */
const FOOTNOTE_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:-link)?$/;

const footnoteId = ({ id = '' }: Attributes): Attributes => (FOOTNOTE_ID.test(id) ? { id } : {});

function anchorAttributes(attributes: Attributes, rewriter: Rewriter): Attributes {
  const href = rewriter.link(attributes.href ?? '');
  if (href === null) return pick(attributes, COMMON_ATTRIBUTES);
  const kept = pick(attributes, [...COMMON_ATTRIBUTES, 'title', 'hreflang', 'download']);
  const note = FOOTNOTE_ID.test(href.slice(1)) ? pick(attributes, ['aria-label']) : {};
  const isExternal = /^https?:/.test(href);
  const isNewTab = attributes.target === '_blank';
  const rel = (attributes.rel ?? '').split(/\s+/).filter((word) => ALLOWED_REL.has(word));
  if (isExternal || isNewTab) rel.push('noopener');
  return {
    ...kept,
    ...footnoteId(attributes),
    ...note,
    href,
    ...(isNewTab && { target: '_blank' }),
    ...(rel.length > 0 && { rel: rel.join(' ') }),
  };
}

/** Keeps the candidates of a `srcset` that are on this site. */
function rewriteSourceSet(value: string, rewriter: Rewriter): string {
  const candidates = value.split(',').flatMap((candidate) => {
    const [address = '', size = ''] = candidate.trim().split(/\s+/);
    const src = rewriter.media(address);
    return src && /^\d+(\.\d+)?[wx]$/.test(size) ? [`${src} ${size}`] : [];
  });
  return candidates.join(', ');
}

function imageAttributes(attributes: Attributes, src: string, rewriter: Rewriter): Attributes {
  const isSized = isPixelSize(attributes.width) && isPixelSize(attributes.height);
  const srcset = rewriteSourceSet(attributes.srcset ?? '', rewriter);
  const sizes = /^[\w\s(),.:%-]+$/.test(attributes.sizes ?? '') ? attributes.sizes : undefined;
  const classes = [attributes.class, ...(isSized ? [] : [UNSIZED_CLASS])].filter(Boolean).join(' ');
  return {
    src,
    alt: attributes.alt ?? '',
    ...(isSized && { width: attributes.width ?? '', height: attributes.height ?? '' }),
    ...(srcset && { srcset, ...(sizes && { sizes }) }),
    ...(classes && { class: classes }),
    loading: 'lazy',
    decoding: 'async',
  };
}

/** @returns Attributes of an audio or video; `null` if its file is not on this site. */
function playerAttributes(attributes: Attributes, rewriter: Rewriter): Attributes | null {
  const src = rewriter.media(attributes.src ?? '');
  const poster = rewriter.media(attributes.poster ?? '');
  const kept = pick(attributes, [...COMMON_ATTRIBUTES, 'loop', 'muted', 'playsinline', 'width', 'height']);
  return src === null ? null : { ...kept, src, controls: '', preload: 'none', ...(poster !== null && { poster }) };
}

/** Captions or subtitles of a video. Without a file on this site `RULES` removes them. */
function trackAttributes(attributes: Attributes, rewriter: Rewriter): Attributes {
  const src = rewriter.media(attributes.src ?? '');
  return { ...(src !== null && { src }), ...pick(attributes, ['label', 'srclang', 'kind', 'default']) };
}

const isSafeId = (id: string) =>
  FOOTNOTE_ID.test(id) || (/^\p{L}[\p{L}\p{M}\p{N}_-]*$/u.test(id) && !RESERVED_IDS.has(id.toLowerCase()));

/** Keeps an editor's id, so that links to it work, unless the page uses it. */
function withSafeId(tagName: string, attributes: Attributes) {
  const { id = '', ...others } = attributes;
  return { tagName, attribs: isSafeId(id) ? attributes : others };
}

/** WordPress leaves only the address of an embed that it could not resolve. It becomes an embed again. */
const restoreEmbeds = (html: string) =>
  html.replace(
    /(<div class="wp-block-embed__wrapper">)\s*(https?:\/\/[^\s<>"']+)\s*(?=<\/div>)/g,
    (_, wrapper: string, address: string) => `${wrapper}<iframe src="${address}"></iframe>`,
  );

/** Attribute of an embedded video's poster: from the plugin, and until the picture is in the link. */
const POSTER_ATTRIBUTE = 'data-poster';

/**
 * Gives a link without text its title or address: an embed has no text, and a linked picture may be missing or replaced
 * with an empty `span`.
 */
const nameEmptyLinks = (html: string) =>
  html.replace(/<a( [^>]*)>(?:<span><\/span>)?<\/a>/g, (_, attributes: string) => {
    const read = (attribute: string) => new RegExp(` ${attribute}="([^"]+)"`).exec(attributes)?.[1] ?? '';
    const name = read('title') || read('href');
    if (!read(EMBED)) return `<a${attributes}>${name}</a>`;
    const poster = read(POSTER_ATTRIBUTE);
    const picture = poster && `<img src="${poster}" alt="" loading="lazy" decoding="async" />`;
    return `<a${attributes.replace(` ${POSTER_ATTRIBUTE}="${poster}"`, '')}>${picture}<span>${name}</span></a>`;
  });

/**
 * The link to a video. The site's script replaces it by the player when the visitor follows it.
 * @returns `null` if the address is not one of `videoAt`.
 */
function videoLinkAttributes({ src = '', title = '', ...more }: Attributes, rewriter: Rewriter): Attributes | null {
  const video = videoAt(src);
  if (!video) return null;
  const poster = rewriter.media(more[POSTER_ATTRIBUTE] ?? '');
  return {
    href: video.page,
    rel: 'noopener',
    ...(title && { title }),
    [EMBED]: video.player,
    ...(poster !== null && { [POSTER_ATTRIBUTE]: poster }),
  };
}

const ALLOWED_ATTRIBUTES: Record<string, string[]> = {
  '*': COMMON_ATTRIBUTES,
  a: ['href', 'title', 'hreflang', 'download', 'target', 'rel', 'id', 'aria-label', EMBED, POSTER_ATTRIBUTE],
  abbr: ['title'],
  audio: ['src', 'controls', 'preload', 'loop'],
  col: ['span'],
  colgroup: ['span'],
  details: ['open', 'id'],
  hr: ['id'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
  li: ['value', 'id'],
  figure: ['tabindex', 'id'],
  ol: ['start', 'reversed', 'type', 'id'],
  table: ['tabindex', 'id'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope', 'abbr'],
  time: ['datetime'],
  track: ['src', 'label', 'srclang', 'kind', 'default'],
  video: ['src', 'poster', 'controls', 'preload', 'loop', 'muted', 'playsinline', 'width', 'height'],
  ...Object.fromEntries([...HEADINGS, 'p', 'div', 'ul', 'blockquote', 'pre'].map((tag) => [tag, ['id']])),
};

/** What the sanitizer does with any text. */
const RULES: IOptions = {
  allowedAttributes: ALLOWED_ATTRIBUTES,
  // WordPress' file block writes `download` without a value.
  nonBooleanAttributes: sanitizeHtml.defaults.nonBooleanAttributes.filter((name) => name !== 'download'),
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  selfClosing: [...sanitizeHtml.defaults.selfClosing, 'col', 'track', 'wbr'],
  exclusiveFilter: ({ tag, attribs }) => tag === 'track' && !attribs.src,
  nonTextTags: UNREADABLE_TAGS,
  nestingLimit: NESTING_LIMIT,
};

/**
 * Makes a box with a wide table focusable: Safari scrolls only focusable elements with the arrow keys (WCAG 2.1.1). An
 * editor's own `tabindex` is removed.
 */
const focusableBox = (attributes: Attributes, isScrolled: boolean): Attributes => ({
  ...pick(attributes, [...COMMON_ATTRIBUTES, 'id']),
  ...(isScrolled && { tabindex: '0' }),
});

/** Maximum length of the name of a table, in characters. */
const MAX_TABLE_NAME_LENGTH = 120;

/** A name for a table: its caption, else the cells of its first row. */
function tableName(table: string): string {
  const caption = /<(figcaption|caption)\b[^>]*>(.*?)<\/\1>/s.exec(table)?.[2];
  const cells = /<tr\b[^>]*>(.*?)<\/tr>/s.exec(table)?.[1]?.replace(/<\/t[hd]>\s*(?=<t)/g, ', ');
  return cutAtWord(plainText(caption ?? cells ?? ''), MAX_TABLE_NAME_LENGTH);
}

/** Names the boxes that `focusableBox` has made focusable. */
const nameTables = (html: string) =>
  html.replace(/(<(figure|table)\b[^>]* tabindex="0")(>.*?<\/\2>)/gs, (box, start: string, _, rest: string) => {
    const name = tableName(rest.slice(1));
    return name === '' ? box : `${start} aria-label="${escapeMarkup(name)}"${rest}`;
  });

const isTableBlock = ({ class: names = '' }: Attributes) => names.split(/\s+/).includes('wp-block-table');

/**
 * Rewrites elements.
 * @param isInLink Whether a link is open: HTML allows no nested links.
 * @param isOutermost Whether the element has no parent.
 */
function createTransforms(
  rewriter: Rewriter,
  isInLink: () => boolean,
  isOutermost: () => boolean,
): NonNullable<IOptions['transformTags']> {
  /** A link in place of an element; a `span` if the address is unusable or a link is already open. */
  const linkInstead = (address: string, name: string) => {
    const href = rewriter.link(address);
    if (href === null || isInLink()) return { tagName: 'span', attribs: {}, text: name };
    return { tagName: 'a', attribs: { ...anchorAttributes({ href }, rewriter), ...(name && { title: name }) } };
  };
  /** Whether the last audio or video is played here. One of another host is a link, which has no captions. */
  let isPlayed = false;
  const playerOrLink = (tagName: string, attributes: Attributes) => {
    const attribs = playerAttributes(attributes, rewriter);
    isPlayed = attribs !== null;
    return attribs ? { tagName, attribs } : linkInstead(attributes.src ?? '', '');
  };
  return {
    ...Object.fromEntries(LANDMARKS.map((tag) => [tag, 'div'])),
    h1: 'h2',
    '*': withSafeId,
    a: (tagName, attributes) => ({ tagName, attribs: anchorAttributes(attributes, rewriter) }),
    img: (tagName, attributes) => {
      const src = rewriter.media(attributes.src ?? '');
      if (src === null) return linkInstead(attributes.src ?? '', attributes.alt ?? '');
      return { tagName, attribs: imageAttributes(attributes, src, rewriter) };
    },
    li: (tagName, attributes) => ({ tagName, attribs: pick(attributes, [...COMMON_ATTRIBUTES, 'value', 'id']) }),
    figure: (tagName, attributes) => ({ tagName, attribs: focusableBox(attributes, isTableBlock(attributes)) }),
    table: (tagName, attributes) => ({ tagName, attribs: focusableBox(attributes, isOutermost()) }),
    audio: playerOrLink,
    video: playerOrLink,
    track: (tagName, attributes) => ({ tagName, attribs: isPlayed ? trackAttributes(attributes, rewriter) : {} }),
    iframe: (_, attributes) => {
      const attribs = isInLink() ? null : videoLinkAttributes(attributes, rewriter);
      return attribs ? { tagName: 'a', attribs } : linkInstead(attributes.src ?? '', attributes.title ?? '');
    },
  };
}

/** In characters. A longer text is cut, because cleaning it takes over 0.5 s and blocks other visitors. */
const MAX_LENGTH = 500_000;

/** Largest depth of elements. A deeper text is cut: the sanitizer's time grows with the square of the depth. */
const MAX_DEPTH = 500;

const VOID_TAGS = new Set('area br col embed hr img input link meta source track wbr'.split(' '));

/** Cuts a text to a size that can be cleaned quickly, in front of a tag. */
function cutToLimits(html: string, warn: Warn): string {
  let depth = 0;
  let cut = html.length > MAX_LENGTH ? html.lastIndexOf('<', MAX_LENGTH) : html.length;
  for (const { 1: closing, 2: tag = '', index } of html.matchAll(/<(\/?)([a-z][a-z\d]*)/gi)) {
    if (index >= cut) break;
    if (closing) depth = Math.max(0, depth - 1);
    else if (!VOID_TAGS.has(tag.toLowerCase())) depth += 1;
    if (depth > MAX_DEPTH) cut = index;
  }
  if (cut < html.length) warn('content.rich-text-cut', { length: html.length, kept: cut });
  return html.slice(0, Math.max(0, cut));
}

/**
 * Sanitizes an editor's HTML and adapts it to the stylesheet. Keeps the elements of core blocks. Headings start at h2,
 * since the page's title is the h1. Addresses become the site's. Embeds and pictures of other hosts become links,
 * because the page's policy would block them; the link to a video has its player's address.
 * @param warn Called if a text is too long or too deep and is cut.
 * @returns HTML without scripts, styles and resources of other hosts.
 */
export function richText(html: string, rewriter: Rewriter, warn: Warn = () => {}): string {
  let linkDepth = 0;
  let depth = 0;
  const sanitized = sanitizeHtml(restoreEmbeds(cutToLimits(html, warn)), {
    allowedTags: [...INLINE, ...BLOCKS, ...TABLE],
    ...RULES,
    allowedClasses: { '*': BLOCK_CLASSES },
    onOpenTag: (name) => {
      depth += 1;
      if (name === 'a') linkDepth += 1;
    },
    onCloseTag: (name) => {
      depth -= 1;
      if (name === 'a') linkDepth -= 1;
    },
    transformTags: createTransforms(
      rewriter,
      () => linkDepth > 0,
      // The element itself is already counted.
      () => depth === 1,
    ),
  });
  return nameTables(nameEmptyLinks(sanitized)).trim();
}

/** Longest text in front of a picture in the first view, in characters: half a screen of 390 × 844 px is about 600. */
const FIRST_VIEW_LENGTH = 600;

/**
 * Lets a picture in the first view load at once: a lazy one waits for the styles, which on a slow connection is a second.
 * @param html The first text of a page, from `richText`.
 */
export const withEagerPicture = (html: string): string =>
  html.replace(/^(.*?)(<img [^>]*)loading="lazy"/s, (whole, text: string, tag: string) => {
    if (plainText(text).length > FIRST_VIEW_LENGTH) return whole;
    // HTML allows the keyword `auto` for lazy pictures only: `auto, 80vw` becomes `80vw`, and `auto` alone is removed.
    return `${text}${tag.replace(/ sizes="auto(?:, |(" ))/, (_, end) => (end ? ' ' : ' sizes="'))}loading="eager"`;
  });

/** Same as `richText` with inline elements only, for consent texts, which are in a label. A paragraph becomes a `span`. */
export function inlineRichText(html: string, rewriter: Rewriter, warn: Warn = () => {}): string {
  return sanitizeHtml(cutToLimits(html, warn), {
    allowedTags: INLINE,
    ...RULES,
    allowedClasses: { '*': [] },
    transformTags: {
      a: (tagName, attributes) => ({ tagName, attribs: anchorAttributes(attributes, rewriter) }),
      p: 'span',
    },
  }).trim();
}
