import type { ZodType } from 'zod';
import type { Act, GalleryItem, Question, Section, SignUpSection } from '../../app/content/types.ts';
import { createIds, type Ids } from './ids.ts';
import { pictureOf } from './pictures.ts';
import { inlineText, paragraphsOf, plainText } from './plain-text.ts';
import type { Warn } from './result.ts';
import type { Rewriter } from './rewrite.ts';
import { richText } from './rich-text.ts';
import {
  actSchema,
  galleryItemSchema,
  questionSchema,
  sectionSchema,
  type WirePicture,
  type WireSection,
} from './schemas.ts';
import { drawingSvg } from './svg.ts';

/** A sign-up whose form is still to be fetched: its number, 0 for the site's own. */
export type OpenSignUp = Omit<SignUpSection, 'form'> & { form_id: number };

/** A section as a page keeps it: everything clean, forms still by number. */
export type KeptSection = Exclude<Section, SignUpSection> | OpenSignUp;

const factsOf = (facts: { label: string; value: string }[]) =>
  facts.map(({ label, value }) => ({ label: plainText(label), value: plainText(value) }));

type PictureReader = (wire: WirePicture | null) => ReturnType<typeof pictureOf>;

/** More than these are not read: a row of thirty pictures is a page of its own. The editor stops there too. */
const MOST_PICTURES = 12;
const MOST_QUESTIONS = 20;

interface ItemsOptions<Wire, Item> {
  /** Names what is left out in the log. */
  kind: string;
  schema: ZodType<Wire>;
  /** Turns an item's wire shape into what the page shows, or names the field without which there is nothing to show. */
  read: (wire: Wire) => Item | string;
  most?: number;
  warn: Warn;
}

/** Reads a section's items one by one; one that is broken or has nothing to show costs itself. */
function itemsOf<Wire, Item extends object>(items: unknown[], options: ItemsOptions<Wire, Item>): Item[] {
  const { kind, schema, read, most = items.length, warn } = options;
  if (items.length > most) warn(`content.${kind}-dropped`, { item: most, field: '(too many)' });
  return items.slice(0, most).flatMap((value, index) => {
    const wire = schema.safeParse(value);
    const item = wire.success ? read(wire.data) : (wire.error.issues[0]?.path.join('.') ?? '');
    if (typeof item === 'object') return [item];
    warn(`content.${kind}-dropped`, { item: index, field: item });
    return [];
  });
}

const actsOf = (items: unknown[], picture: PictureReader, warn: Warn): Act[] =>
  itemsOf(items, {
    kind: 'act',
    schema: actSchema,
    read: (wire) => ({
      label: plainText(wire.label),
      title: plainText(wire.title),
      text: plainText(wire.text),
      picture: picture(wire.picture),
      portrait: picture(wire.portrait),
    }),
    warn,
  });

const galleryOf = (items: unknown[], picture: PictureReader, warn: Warn): GalleryItem[] =>
  itemsOf(items, {
    kind: 'gallery-picture',
    schema: galleryItemSchema,
    read(wire) {
      const shown = picture(wire.picture);
      return shown ? { picture: shown, title: plainText(wire.title), text: plainText(wire.text) } : 'picture';
    },
    most: MOST_PICTURES,
    warn,
  });

const questionsOf = (items: unknown[], ids: Ids, warn: Warn): Question[] =>
  itemsOf(items, {
    kind: 'question',
    schema: questionSchema,
    read(wire) {
      const question = plainText(wire.question);
      const answer = paragraphsOf(inlineText(wire.answer));
      if (question === '') return 'question';
      return answer.length > 0 ? { id: ids.take(question), question, answer } : 'answer';
    },
    most: MOST_QUESTIONS,
    warn,
  });

function drawingOf(markup: string, warn: Warn): string | null {
  const drawing = drawingSvg(markup);
  if (drawing === null && markup.trim() !== '') warn('content.drawing-dropped', { field: 'drawing' });
  return drawing;
}

function sectionOf(wire: WireSection, rewriter: Rewriter, ids: Ids, warn: Warn): KeptSection | null {
  const picture: PictureReader = (value) => pictureOf(value, rewriter, warn);
  switch (wire.type) {
    case 'hero':
      return {
        type: wire.type,
        heading: inlineText(wire.heading),
        picture: picture(wire.picture),
        portrait: picture(wire.portrait),
      };
    case 'statement':
      return {
        type: wire.type,
        kicker: plainText(wire.kicker),
        heading: inlineText(wire.heading),
        facts: factsOf(wire.facts),
        picture: picture(wire.picture),
        drawing: drawingOf(wire.drawing, warn),
      };
    case 'acts':
      return { type: wire.type, heading: inlineText(wire.heading), items: actsOf(wire.items, picture, warn) };
    case 'feature':
      return {
        type: wire.type,
        kicker: plainText(wire.kicker),
        heading: inlineText(wire.heading),
        text: plainText(wire.text),
        figures: factsOf(wire.figures),
        picture: picture(wire.picture),
        detail: picture(wire.detail),
      };
    case 'gallery':
      return {
        type: wire.type,
        kicker: plainText(wire.kicker),
        heading: inlineText(wire.heading),
        items: galleryOf(wire.items, picture, warn),
      };
    case 'quote':
      return {
        type: wire.type,
        kicker: plainText(wire.kicker),
        quote: inlineText(wire.quote),
        source: plainText(wire.source),
        picture: picture(wire.picture),
      };
    case 'questions':
      return {
        type: wire.type,
        kicker: plainText(wire.kicker),
        heading: inlineText(wire.heading),
        items: questionsOf(wire.items, ids, warn),
      };
    case 'sign-up':
      return {
        type: wire.type,
        kicker: plainText(wire.kicker),
        heading: inlineText(wire.heading),
        text: plainText(wire.text),
        picture: picture(wire.picture),
        portrait: picture(wire.portrait),
        form_id: wire.form_id,
      };
    case 'wordmark':
      return { type: wire.type };
    case 'rich-text': {
      const html = richText(wire.html, rewriter, warn);
      return html === '' ? null : { type: wire.type, html };
    }
  }
}

/** Reads a page's sections one by one; one that is unknown or broken costs itself, with a warning naming the page. */
export function sectionsOf(items: unknown[], page: string, rewriter: Rewriter, warn: Warn): KeptSection[] {
  const ids = createIds();
  const warnOfPage: Warn = (event, details) => warn(event, { page, ...details });
  return items.flatMap((value, index) => {
    const read = sectionSchema.safeParse(value);
    if (!read.success) {
      const [issue] = read.error.issues;
      const type = (value as { type?: unknown } | null)?.type ?? null;
      warnOfPage('content.section-dropped', { type, field: `sections.${index}.${issue?.path.join('.')}` });
      return [];
    }
    return sectionOf(read.data, rewriter, ids, warnOfPage) ?? [];
  });
}
