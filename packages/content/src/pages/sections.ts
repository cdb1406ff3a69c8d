import { mediaTypeOf } from '@pillion/lib/media-types.ts';
import type { SectionFieldKind } from '../sections/declaration.ts';
import { createIds, type Ids } from '../text/ids.ts';
import { pictureOf } from '../text/pictures.ts';
import { inlineText, paragraphsOf, plainText } from '../text/plain-text.ts';
import { richText } from '../text/rich-text.ts';
import { drawingSvg } from '../text/svg.ts';
import type { Film, InlineText, Section, Sections } from '../types.ts';
import type { Warn } from '../wordpress/result.ts';
import type { Rewriter } from '../wordpress/rewrite.ts';
import type { WireFilm, WirePicture } from '../wordpress/schemas.ts';
import {
  type Fields,
  ITEMS,
  type ItemsField,
  itemSchema,
  SECTIONS,
  sectionSchema,
  type WireValues,
} from '../wordpress/section-schemas.ts';

/** A sign-up section before its form is fetched: with the form's number, 0 for the site's own. */
export type OpenSignUp = Omit<Sections['sign-up'], 'form'> & { form_id: number };

/** A cleaned section, with forms by number. */
export type KeptSection = Exclude<Section, Sections['sign-up']> | OpenSignUp;

/** A section or item that a page does not show. */
export interface LeftOut {
  /** Index of the section in the response. */
  section: number;
  /** Type of the section; empty if missing. */
  type: string;
  /** Index of the item; `null`: the whole section. */
  item: number | null;
  /** The first field that is invalid, or required and empty. */
  field: string;
  /** The film without which the section is shown, and why. */
  film?: { url: string; reason: 'type' | 'elsewhere' };
}

/** Called for each part that is left out, including parts that are empty on purpose. */
export type OnLeftOut = (part: LeftOut) => void;

interface Context {
  rewriter: Rewriter;
  /** Ids of the page's items, for links with a hash. */
  ids: Ids;
  warn: Warn;
  onPartLeftOut: (part: Pick<LeftOut, 'field' | 'film'> & { item?: number }) => void;
}

type Converter = (wire: never, context: Context, field: ItemsField) => unknown;

/** Converts a field of a response for the page, by kind. */
const CONVERTERS = {
  text: (wire: string) => plainText(wire),
  inline: (wire: string) => inlineText(wire),
  paragraphs: (wire: string): InlineText[] => paragraphsOf(inlineText(wire)),
  rows: (wire: { label: string; value: string }[]) =>
    wire.map(({ label, value }) => ({ label: plainText(label), value: plainText(value) })),
  picture: (wire: WirePicture | null, { rewriter, warn }: Context) => pictureOf(wire, rewriter, warn),
  film: (wire: WireFilm | null, context: Context) => filmOf(wire, context),
  drawing: (wire: string, { warn }: Context) => drawingOf(wire, warn),
  form: (wire: number) => wire,
  html: (wire: string, { rewriter, warn }: Context) => richText(wire, rewriter, warn),
  list: (wire: unknown[], context: Context, field: ItemsField) => itemsOf(wire, context, field),
} satisfies Record<SectionFieldKind, Converter>;

/** A film on another host is left out, since the page's policy would block it. */
function filmOf(wire: WireFilm | null, { rewriter, warn, onPartLeftOut }: Context): Film | null {
  if (wire === null) return null;
  const { url, bytes } = wire;
  const isFilm = mediaTypeOf(url.replace(/[?#].*/s, ''))?.startsWith('video/');
  const src = rewriter.media(url);
  if (isFilm && src !== null) return { src, bytes };
  warn('content.film-unusable', { url });
  onPartLeftOut({ field: 'film', film: { url, reason: isFilm ? 'elsewhere' : 'type' } });
  return null;
}

function drawingOf(markup: string, warn: Warn): string | null {
  const drawing = drawingSvg(markup);
  if (drawing === null && markup.trim() !== '') warn('content.drawing-dropped', { field: 'drawing' });
  return drawing;
}

const isEmptyValue = (value: unknown) =>
  value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);

type Values = Record<string, unknown>;

/** @returns All members cleaned, or the name of the first required one that is empty. */
function valuesOf(fields: Fields, wire: WireValues, context: Context): Values | string {
  const values: Values = {};
  for (const [name, field] of Object.entries(fields)) {
    const convert = CONVERTERS[field.kind] as Converter;
    values[name] = convert(wire[name] as never, context, field as ItemsField);
    if (field.isRequired && isEmptyValue(values[name])) return name;
  }
  return values;
}

/** Reads the items of a section. Leaves out items that are invalid, lack a required field or exceed the maximum. */
function itemsOf(
  items: unknown[],
  context: Context,
  { of, most: maxItems = items.length, anchor }: ItemsField,
): Values[] {
  const { warn, ids, onPartLeftOut } = context;
  const event = `content.${of}-dropped`;
  if (items.length > maxItems) warn(event, { item: maxItems, field: '(too many)' });
  for (let index = maxItems; index < items.length; index += 1) onPartLeftOut({ item: index, field: '(too many)' });
  return items.slice(0, maxItems).flatMap((value, index) => {
    const wire = itemSchema(of).safeParse(value);
    const itemOrBadField = wire.success
      ? valuesOf(ITEMS[of]?.fields ?? {}, wire.data, context)
      : (wire.error.issues[0]?.path.join('.') ?? '');
    if (typeof itemOrBadField === 'string') {
      warn(event, { item: index, field: itemOrBadField });
      onPartLeftOut({ item: index, field: itemOrBadField });
      return [];
    }
    return [anchor ? { id: ids.take(String(itemOrBadField[anchor])), ...itemOrBadField } : itemOrBadField];
  });
}

/** Reads the sections of a page. Leaves out each unknown or invalid section, with a warning that names the page. */
export function sectionsOf(
  items: unknown[],
  page: string,
  rewriter: Rewriter,
  warn: Warn,
  onLeftOut: OnLeftOut = () => {},
): KeptSection[] {
  const warnOfPage: Warn = (event, details) => warn(event, { page, ...details });
  const ids = createIds();
  return items.flatMap((value, section) => {
    const read = sectionSchema.safeParse(value);
    if (!read.success) {
      const [issue] = read.error.issues;
      const type = (value as { type?: unknown } | null)?.type ?? null;
      const field = issue?.path.join('.') ?? '';
      warnOfPage('content.section-dropped', { type, field: `sections.${section}.${field}` });
      onLeftOut({ section, type: typeof type === 'string' ? type : '', item: null, field });
      return [];
    }
    const { type } = read.data;
    const onPartLeftOut: Context['onPartLeftOut'] = (part) => onLeftOut({ section, type, item: null, ...part });
    const context = { rewriter, ids, warn: warnOfPage, onPartLeftOut };
    const values = valuesOf(SECTIONS[type]?.fields ?? {}, read.data, context);
    if (typeof values === 'string') {
      // No warning: editors may leave a required field empty on purpose.
      onPartLeftOut({ field: values });
      return [];
    }
    // `ValuesOf` in packages/content/src/sections derives the same type from the declaration as CONVERTERS.
    return [{ type, ...values } as KeptSection];
  });
}
