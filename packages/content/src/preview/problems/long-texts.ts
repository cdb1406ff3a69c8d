import type { Problem } from '../../types.ts';
import type { Rule } from './rule.ts';

/** Number of characters that search engines show on a large screen. */
const MAX_TITLE_LENGTH = 60;
const MAX_DESCRIPTION_LENGTH = 160;

export const longTexts: Rule = ({ page, written }) => {
  const texts = [
    { kind: 'title-long', text: page.meta.title, most: MAX_TITLE_LENGTH },
    { kind: 'description-long', text: written.description, most: MAX_DESCRIPTION_LENGTH },
  ] as const;
  return texts.flatMap(({ kind, text, most }): Problem[] => {
    const { length } = [...text];
    return length > most ? [{ block: null, kind, values: { length, most } }] : [];
  });
};
