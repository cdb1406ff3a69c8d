import type { COMMON_KINDS } from './common-kinds.ts';
import type { RareKind } from './kind.ts';

/** No kind is in both tables. */
type NotCommon = Partial<Record<keyof typeof COMMON_KINDS, never>>;

/** Kinds of field that few forms use. They are in a separate chunk that only those forms fetch. */
export const RARE_KINDS = {
  phone: {
    look: 'control',
    judge: 'phone',
    input: 'tel',
    isStyledBySite: true,
    autocomplete: 'tel',
    format: 'phoneFormat',
  },
  website: { look: 'control', judge: 'website', input: 'url', isStyledBySite: true, autocomplete: 'url' },
  number: { look: 'control', judge: 'number', input: 'number', format: 'numberFormat' },
  date: { look: 'control', judge: 'date', input: 'date', format: 'dateFormat' },
  time: { look: 'time', judge: 'time', input: 'time', joins: 'time', format: 'timeFormat' },
  name: {
    look: 'control',
    judge: 'parts',
    parts: {
      2: { autocomplete: 'honorific-prefix' },
      3: { autocomplete: 'given-name', isNeeded: true },
      4: { autocomplete: 'additional-name' },
      6: { autocomplete: 'family-name', isNeeded: true },
      8: { autocomplete: 'honorific-suffix' },
    },
  },
  address: {
    look: 'control',
    judge: null,
    parts: {
      1: { autocomplete: 'address-line1', isNeeded: true },
      2: { autocomplete: 'address-line2' },
      3: { autocomplete: 'address-level2', isNeeded: true },
      4: { autocomplete: 'address-level1', isNeeded: true },
      5: { autocomplete: 'postal-code', isNeeded: true },
      6: { autocomplete: 'country-name', isNeeded: true },
    },
  },
  select: { look: 'control', judge: 'choice' },
  multiselect: { look: 'choices', judge: 'choice', joins: 'each' },
  radio: { look: 'choices', judge: 'radio' },
  checkbox: { look: 'choices', judge: 'boxes', parts: {} },
  list: { look: 'list', judge: null, joins: 'rows', hasNoChoices: true },
  fileupload: { look: 'file', judge: null, isNeverPrefilled: true },
  section: { look: 'section', judge: null, isSilent: true },
  page: { look: 'nothing', judge: null, isSilent: true },
} as const satisfies Record<string, RareKind> & NotCommon;

/** @returns `undefined` for a common kind. */
export const rareKind = (type: string): RareKind | undefined => RARE_KINDS[type as keyof typeof RARE_KINDS];
