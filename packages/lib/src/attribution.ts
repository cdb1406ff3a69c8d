import { CLICK_IDS } from './campaign-parameters.ts';

/** Longest stored value, in code points. */
const MAX_VALUE_LENGTH = 200;

/** The most parameters of one touch. */
const MAX_PARAMETERS = 20;

/** The campaign parameters of one landing page. */
export type Touch = Record<string, string>;

/** The first and the last page of a tab that was opened with campaign parameters. */
export interface Attribution {
  first: Touch;
  last: Touch;
}

export const NO_CAMPAIGN: Attribution = { first: {}, last: {} };

export const isClickId = (name: string): boolean => CLICK_IDS.includes(name);

export const isAttributed = (name: string): boolean =>
  name === 'ref' || isClickId(name) || /^utm_[a-z\d_]{1,30}$/.test(name);

/** Selects the campaign parameters. Of a repeated parameter the first value that is not empty counts. */
export function readTouch(pairs: Iterable<readonly [name: string, value: unknown]>): Touch {
  const touch: Touch = {};
  for (const [name, value] of pairs) {
    if (!isAttributed(name) || touch[name] || typeof value !== 'string' || Object.keys(touch).length >= MAX_PARAMETERS)
      continue;
    // Without control characters, and without half surrogate pairs, which JSON parsers reject. Cut by code points, so
    // that no character is halved.
    const text = [...value.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim()].slice(0, MAX_VALUE_LENGTH).join('');
    if (text) touch[name] = text;
  }
  return touch;
}

export const isEmpty = ({ first, last }: Attribution): boolean => !Object.keys({ ...first, ...last }).length;
