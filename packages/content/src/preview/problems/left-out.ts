import type { Problem } from '../../types.ts';
import type { Rule } from './rule.ts';

/** Parts that editors see in WordPress and visitors would not see: unreadable, or with an empty required field. */
export const leftOutParts: Rule = ({ leftOut, written }) =>
  leftOut.map(({ section, type, item, field, film }): Problem => {
    const block = written.blocks[section] ?? null;
    if (film)
      return { block, kind: film.reason === 'type' ? 'film-type' : 'film-elsewhere', values: { url: film.url } };
    return item === null
      ? { block, kind: 'section-left-out', values: { type, field } }
      : { block, kind: 'item-left-out', values: { type, item, field } };
  });
