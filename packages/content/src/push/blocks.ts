import { DomUtils, parseDocument } from 'htmlparser2';
import { DECLARED } from '../wordpress/declared.ts';

/** The reverse of what WordPress sends: sections and HTML as blocks of the editor. */

type Attributes = Record<string, unknown>;
type Values = Record<string, unknown>;
type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** Finds what the texts refer to in the WordPress that they are written to. */
export interface References {
  /** Id of an attachment; 0 without one. */
  attachmentId: (file: { url: string }) => number;
  /** Address of a file, for `src`. */
  addressOf: (picture: { url: string; alt: string }) => string;
  formId: (id: number) => number;
}

/** JSON for an HTML comment, as WordPress' `serialize_block_attributes()` writes it. */
const jsonInComment = (attributes: Attributes) =>
  JSON.stringify(attributes)
    .replace(/--/g, '\\u002d\\u002d')
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/&/g, '\\u0026')
    .replace(/\\\\/g, '\\u005c')
    .replace(/\\"/g, '\\u0022');

/** @param content Markup or inner blocks. Without it the block has no content. */
function serializeBlock(name: string, attributes: Attributes, content = ''): string {
  const head = `wp:${name}${Object.keys(attributes).length > 0 ? ` ${jsonInComment(attributes)}` : ''}`;
  return content ? `<!-- ${head} -->\n${content}\n<!-- /wp:${name} -->` : `<!-- ${head} /-->`;
}

type Declared = { fields: Record<string, { kind: string; of?: string }> };
const SECTIONS = DECLARED.sections as Record<string, Declared>;
const ITEMS = DECLARED.items as Record<string, Declared>;

/** A section or item as the editor's block for it. Empty members are left out. */
function serializeDeclared(type: string, { fields }: Declared, values: Values, references: References): string {
  const attributes: Attributes = {};
  const items: string[] = [];
  for (const [member, { kind, of = '' }] of Object.entries(fields)) {
    const value = values[member];
    if (value === null || value === undefined || value === '') continue;
    if (kind === 'list') {
      const declared = ITEMS[of];
      if (declared) items.push(...(value as Values[]).map((item) => serializeDeclared(of, declared, item, references)));
    } else if (kind === 'picture' || kind === 'film') {
      const file = value as { url: string; focal_point?: object };
      attributes[member] = references.attachmentId(file);
      if (file.focal_point) attributes[`${member}FocalPoint`] = file.focal_point;
    } else if (kind === 'form') attributes[member] = references.formId(value as number);
    else attributes[member] = value;
  }
  return serializeBlock(`pillion/${type}`, attributes, items.join('\n\n'));
}

/** Names of the blocks that a section needs: its own and those of its items. */
export function blockNames(type: string): string[] {
  const fields = Object.values(SECTIONS[type]?.fields ?? {});
  return type === 'rich-text' ? [] : [type, ...fields.flatMap(({ of }) => of ?? [])];
}

/** Whether kit or site declares the section. */
export const isDeclared = (type: string) => Object.hasOwn(SECTIONS, type);

/**
 * A section as blocks.
 * @param section As WordPress sends it, in the bundled copy.
 */
export function sectionBlocks(section: Values & { type: string }, references: References): string {
  if (section.type === 'rich-text') return blocksOfHtml(String(section.html ?? ''), references);
  const declared = SECTIONS[section.type];
  return declared ? serializeDeclared(section.type, declared, section, references) : '';
}

/** Classes that WordPress adds when it renders a block. */
const RENDERED_CLASS = /^(?:is-layout-.+|wp-block-.+|wp-container-.+|wp-element-.+)$/;
const FONT_SIZE_CLASS = /^has-(small|medium|large|x-large)-font-size$/;

const isTag = (node: Element['children'][number]): node is Element => 'attribs' in node;

const classesOf = ({ attribs }: Element) => (attribs.class ?? '').split(/\s+/).filter(Boolean);
/** Classes that an editor chose. */
const chosenClassesOf = (element: Element) => classesOf(element).filter((name) => !RENDERED_CLASS.test(name));
/** Only the characters that would be markup are written as entities. */
const MARKUP_OPTIONS = { encodeEntities: 'utf8' } as const;
const outerHtmlOf = (node: Element['children'][number]) => DomUtils.getOuterHTML(node, MARKUP_OPTIONS).trim();
const innerHtmlOf = (element: Element) => DomUtils.getInnerHTML(element, MARKUP_OPTIONS).trim();
const childrenOf = (element: { children: Element['children'] }) => element.children.filter(isTag);

/** Whether an element has no attributes but these, and no class that its block could not keep. */
const hasOnly = (element: Element, ...names: string[]) =>
  Object.keys(element.attribs).every((name) => name === 'class' || names.includes(name)) &&
  chosenClassesOf(element).every((name) => FONT_SIZE_CLASS.test(name) && element.name === 'p');

function paragraphBlock(element: Element): string {
  const size = chosenClassesOf(element)[0]?.match(FONT_SIZE_CLASS)?.[1];
  const open = size ? `<p class="has-${size}-font-size">` : '<p>';
  return serializeBlock('paragraph', size ? { fontSize: size } : {}, `${open}${innerHtmlOf(element)}</p>`);
}

function headingBlock(element: Element): string {
  const level = Number(element.name.slice(1));
  const { id } = element.attribs;
  element.attribs = { class: 'wp-block-heading', ...(id && { id }) };
  return serializeBlock('heading', level === 2 ? {} : { level }, outerHtmlOf(element));
}

const isList = (node: Element['children'][number]): node is Element => isTag(node) && /^[uo]l$/.test(node.name);

/** Whether only lists follow an inner list: the block of an item has them last. */
function hasListsLast({ children }: Element): boolean {
  const first = children.findIndex(isList);
  return first < 0 || children.slice(first).every((node) => isList(node) || outerHtmlOf(node) === '');
}

/** Whether lists and items have only what their blocks can keep: no start, type, direction, value or id. */
const isPlainList = (element: Element) =>
  [element, ...DomUtils.getElementsByTagName((name) => /^(?:[uo]l|li)$/.test(name), element)].every(
    (part) => hasOnly(part) && (isList(part) || hasListsLast(part)),
  );

/** A list, with lists inside its items. */
function listBlock(element: Element): string {
  const items = childrenOf(element).map((item) => {
    const lists = item.children.filter(isList);
    for (const inner of lists) DomUtils.removeElement(inner);
    return serializeBlock('list-item', {}, `<li>${[innerHtmlOf(item), ...lists.map(listBlock)].join('')}</li>`);
  });
  const markup = `<${element.name} class="wp-block-list">${items.join('\n\n')}</${element.name}>`;
  return serializeBlock('list', element.name === 'ol' ? { ordered: true } : {}, markup);
}

function quoteBlock(element: Element, references: References): string {
  const cite = childrenOf(element).find(({ name }) => name === 'cite');
  if (cite) DomUtils.removeElement(cite);
  const content = elementsAsBlocks(element, references);
  const source = cite ? outerHtmlOf(cite) : '';
  return serializeBlock('quote', {}, `<blockquote class="wp-block-quote">${content}${source}</blockquote>`);
}

/**
 * One picture of the media library, in full size (`localizePictures`), with or without a caption.
 * @returns `null` if the figure has other content, attributes or classes.
 */
function imageBlock(element: Element): string | null {
  const [img, caption, ...others] = childrenOf(element);
  if (Object.keys(element.attribs).some((name) => name !== 'class')) return null;
  if (img?.name !== 'img' || others.length > 0 || (caption && caption.name !== 'figcaption')) return null;
  const id = Number(img.attribs.class?.match(/\bwp-image-(\d+)\b/)?.[1] ?? 0);
  const classes = classesOf(element);
  const align = classes.find((name) => /^align(?:wide|full|left|right|center)$/.test(name));
  if (id === 0 || !classes.every((name) => name === align || /^(?:wp-block-image|size-.+)$/.test(name))) return null;
  const attributes = { id, sizeSlug: 'full', linkDestination: 'none', ...(align && { align: align.slice(5) }) };
  const markup = [
    `<figure class="wp-block-image${align ? ` ${align}` : ''} size-full">`,
    outerHtmlOf(img).replace(/>$/, '/>'),
    ...(caption ? [`<figcaption class="wp-element-caption">${innerHtmlOf(caption)}</figcaption>`] : []),
    '</figure>',
  ].join('');
  return serializeBlock('image', attributes, markup);
}

/** Elements for which the editor has a block. All others go into a block of HTML, unchanged. */
const BLOCKS_BY_TAG: Record<string, (element: Element, references: References) => string | null> = {
  p: (element) => (hasOnly(element) ? paragraphBlock(element) : null),
  ...Object.fromEntries(
    ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [
      name,
      (element: Element) => (hasOnly(element, 'id') ? headingBlock(element) : null),
    ]),
  ),
  ul: (element) => (isPlainList(element) ? listBlock(element) : null),
  ol: (element) => (isPlainList(element) ? listBlock(element) : null),
  blockquote: (element, references) => (hasOnly(element) ? quoteBlock(element, references) : null),
  hr: (element) =>
    element.attribs.id
      ? null
      : serializeBlock('separator', {}, '<hr class="wp-block-separator has-alpha-channel-opacity"/>'),
  figure: (element) => imageBlock(element),
};

/** Serializes each child as the editor's block for it, or as an HTML block if that block would lose something. */
const elementsAsBlocks = (parent: { children: Element['children'] }, references: References): string =>
  parent.children
    .filter((node) => isTag(node) || DomUtils.textContent(node).trim())
    .map((node) => {
      const block = isTag(node) ? BLOCKS_BY_TAG[node.name]?.(node, references) : null;
      return block ?? serializeBlock('html', {}, outerHtmlOf(node));
    })
    .join('\n\n');

/** Points the pictures to the files in WordPress, which adds the other sizes when it renders the page. */
function localizePictures(document: ReturnType<typeof parseDocument>, references: References) {
  for (const img of DomUtils.getElementsByTagName('img', document)) {
    const picture = { url: img.attribs.src ?? '', alt: img.attribs.alt ?? '' };
    const id = references.attachmentId(picture);
    img.attribs = { src: references.addressOf(picture), alt: picture.alt, ...(id > 0 && { class: `wp-image-${id}` }) };
  }
}

/** HTML of a page as blocks: paragraphs, headings, lists, quotes, lines and pictures. */
function blocksOfHtml(html: string, references: References): string {
  const document = parseDocument(html);
  localizePictures(document, references);
  return elementsAsBlocks(document, references);
}

/** Pictures in HTML, with their descriptions. */
export const picturesIn = (html: string) =>
  DomUtils.getElementsByTagName('img', parseDocument(html)).map(({ attribs }) => ({
    url: attribs.src ?? '',
    alt: attribs.alt ?? '',
  }));
