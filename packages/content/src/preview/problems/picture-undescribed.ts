import { basename } from 'node:path/posix';
import type { Problem } from '../../types.ts';
import { picturesOf } from './pictures.ts';
import { type Rule, sectionsIn } from './rule.ts';

/** Matches images in the sanitizer's output: attributes in double quotes. */
const IMAGE = /<img\b[^>]*>/g;
const isUndescribed = (tag: string) => !/ alt="\s*[^"\s]/.test(tag);

/** A picture without alternative text (WCAG 2.2, 1.1.1). Another crop uses the text of its original. */
export const picturesUndescribed: Rule = (draft) =>
  sectionsIn(draft).flatMap(({ section, block }): Problem[] => {
    const inFields = picturesOf(section).flatMap(({ picture, isCrop }) =>
      !isCrop && picture.alt.trim() === '' ? [picture.src] : [],
    );
    const tags = section.type === 'rich-text' ? (section.html.match(IMAGE) ?? []) : [];
    const inText = tags.filter(isUndescribed).map((tag) => / src="([^"]*)"/.exec(tag)?.[1] ?? '');
    return [...inFields, ...inText].map((address) => ({
      block,
      kind: 'picture-undescribed',
      values: { file: basename(address.replace(/[?#].*/, '')) },
    }));
  });
