import type { Field, SectionDeclaration } from '@pillion/content/sections/declaration.ts';
import { COMPOUND, facts, LONG_FACTS, NAME, type Samples, SENTENCE, times, UNBROKEN } from './samples.ts';

/** Sample content of a section: number of rows and items, and length of the texts. */
interface Filling {
  count: number;
  isLongest?: boolean;
}

const DRAWING =
  '<svg viewBox="0 0 16 10"><path d="M2 9C5 7 3 5 7 5s5-3 7-4" fill="none" stroke="#fff" stroke-width=".08"/></svg>';

type Fields = Readonly<Record<string, Field>>;

/** A field's value in the format of WordPress. */
function sampleValue(field: Field, filling: Filling, samples: Samples): unknown {
  const { count, isLongest = false } = filling;
  switch (field.kind) {
    case 'text':
      return isLongest ? `${COMPOUND} ${UNBROKEN}` : field.label;
    case 'inline':
      return isLongest ? `${COMPOUND} <em>${NAME}</em> ${UNBROKEN}` : `Words that <em>turn</em>`;
    case 'paragraphs':
      return isLongest ? `${SENTENCE}<br><br>${UNBROKEN}` : `${SENTENCE}<br><br>A second paragraph.`;
    case 'rows':
      return isLongest ? LONG_FACTS : facts(count);
    case 'picture':
      return field.cropOf ? samples.upright() : samples.wide();
    case 'film':
      return { url: samples.wide().url.replace(/\w+$/, 'webm'), bytes: 1_000_000 };
    case 'drawing':
      return DRAWING;
    case 'form':
      return 0;
    case 'html':
      return isLongest ? `<p>${SENTENCE}</p><p>${UNBROKEN}</p>` : `<p>${SENTENCE}</p>`;
    case 'list':
      return times(count, () => sampleValues(field.of.fields, filling, samples));
  }
}

const sampleValues = (fields: Fields, filling: Filling, samples: Samples): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, sampleValue(field, filling, samples)]));

/** The states of any section, from its declaration: full, one item, twelve items, longest texts, empty. */
export const declaredStates =
  ({ name, fields }: SectionDeclaration) =>
  (samples: Samples) => {
    const fillSection = (filling: Filling) => ({ type: name, ...sampleValues(fields, filling, samples) });
    const hasItems = Object.values(fields).some(({ kind }) => kind === 'list' || kind === 'rows');
    return {
      full: fillSection({ count: 3 }),
      ...(hasItems ? { one: fillSection({ count: 1 }), twelve: fillSection({ count: 12 }) } : {}),
      longest: fillSection({ count: 2, isLongest: true }),
      empty: { type: name },
    };
  };
