import type { Problem } from '../../types.ts';
import type { Rule } from './rule.ts';

/** Number of characters that search engines show on a large screen. */
const LONGEST_TITLE = 60;
const LONGEST_DESCRIPTION = 160;

export const longTexts: Rule = ({ page, written }) => {
  const title = [...page.meta.title].length;
  const description = [...written.description].length;
  const long: Problem[] = [
    { block: null, kind: 'title-long', values: { length: title, most: LONGEST_TITLE } },
    { block: null, kind: 'description-long', values: { length: description, most: LONGEST_DESCRIPTION } },
  ];
  return long.filter(({ values: { length = 0, most = 0 } }) => length > most);
};
