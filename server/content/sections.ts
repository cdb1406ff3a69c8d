import type { Act, Section, SignUpSection } from '../../app/content/types.ts';
import { pictureOf } from './pictures.ts';
import { inlineText, plainText } from './plain-text.ts';
import type { Warn } from './result.ts';
import type { Rewriter } from './rewrite.ts';
import { richText } from './rich-text.ts';
import { actSchema, sectionSchema, type WirePicture, type WireSection } from './schemas.ts';

/** A sign-up whose form is still to be fetched: its number, 0 for the site's own. */
export type OpenSignUp = Omit<SignUpSection, 'form'> & { form_id: number };

/** A section as a page keeps it: everything clean, forms still by number. */
export type KeptSection = Exclude<Section, SignUpSection> | OpenSignUp;

const factsOf = (facts: { label: string; value: string }[]) =>
  facts.map(({ label, value }) => ({ label: plainText(label), value: plainText(value) }));

type PictureReader = (wire: WirePicture | null) => ReturnType<typeof pictureOf>;

function actsOf(items: unknown[], picture: PictureReader, warn: Warn): Act[] {
  return items.flatMap((value, index) => {
    const read = actSchema.safeParse(value);
    if (!read.success) {
      warn('content.act-dropped', { item: index, field: read.error.issues[0]?.path.join('.') });
      return [];
    }
    const { label, title, text } = read.data;
    return {
      label: plainText(label),
      title: plainText(title),
      text: plainText(text),
      picture: picture(read.data.picture),
      portrait: picture(read.data.portrait),
    };
  });
}

function sectionOf(wire: WireSection, rewriter: Rewriter, warn: Warn): KeptSection | null {
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
  return items.flatMap((value, index) => {
    const read = sectionSchema.safeParse(value);
    if (!read.success) {
      const [issue] = read.error.issues;
      const type = (value as { type?: unknown } | null)?.type ?? null;
      warn('content.section-dropped', { page, type, field: `sections.${index}.${issue?.path.join('.')}` });
      return [];
    }
    return sectionOf(read.data, rewriter, warn) ?? [];
  });
}
