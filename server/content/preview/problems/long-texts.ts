import type { Problem } from '../../../../shared/content.ts';
import { pageSchema } from '../../../wordpress/schemas.ts';
import { plainText } from '../../text/plain-text.ts';
import type { Rule } from './rule.ts';

/** Characters that search engines show on a large screen; they cut what is longer. */
const LONGEST_TITLE = 60;
const LONGEST_DESCRIPTION = 160;

/** Only the editor's own words: an excerpt that WordPress cut from the text is nobody's to shorten. */
function ownDescription(page: unknown): string {
  const read = pageSchema.safeParse(page);
  return read.success ? plainText(read.data.found?.description || read.data.yoast_head_json?.description || '') : '';
}

export const longTexts: Rule = ({ page, written }) => {
  const title = [...page.meta.title].length;
  const description = [...ownDescription(written.page)].length;
  const long: Problem[] = [
    { block: null, kind: 'title-long', values: { length: title, most: LONGEST_TITLE } },
    { block: null, kind: 'description-long', values: { length: description, most: LONGEST_DESCRIPTION } },
  ];
  return long.filter(({ values: { length = 0, most = 0 } }) => length > most);
};
