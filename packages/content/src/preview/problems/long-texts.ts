import type { Problem } from '../../types.ts';
import type { Rule } from './rule.ts';

/** Number of characters that search engines show on a large screen. */
const MAX_TITLE_LENGTH = 60;
const MAX_DESCRIPTION_LENGTH = 160;

export const longTexts: Rule = ({ page, written }) => {
  const title = [...page.meta.title].length;
  const description = [...written.description].length;
  const long: Problem[] = [
    { block: null, kind: 'title-long', values: { length: title, most: MAX_TITLE_LENGTH } },
    { block: null, kind: 'description-long', values: { length: description, most: MAX_DESCRIPTION_LENGTH } },
  ];
  return long.filter(({ values: { length = 0, most = 0 } }) => length > most);
};
