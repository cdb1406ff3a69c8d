import type { Problem } from '../../types.ts';
import type { Rule } from './rule.ts';

/** What the editor sees in WordPress and visitors would not see: it cannot be read, or something it needs is empty. */
export const leftOutParts: Rule = ({ leftOut, written }) =>
  leftOut.map(({ section, type, item, field }): Problem => {
    const block = written.blocks[section] ?? null;
    return item === null
      ? { block, kind: 'section-left-out', values: { type, field } }
      : { block, kind: 'item-left-out', values: { type, item, field } };
  });
