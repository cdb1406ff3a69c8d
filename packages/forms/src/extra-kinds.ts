import type { COMMON_KINDS } from './common-kinds.ts';
import type { ExtraKind } from './kind.ts';

/** No kind is in both tables. */
type NotCommon = Partial<Record<keyof typeof COMMON_KINDS, never>>;

/** Kinds of field that few forms use. They are in a separate chunk that only those forms fetch. */
export const EXTRA_KINDS = {
  phone: { look: 'control', rule: 'phone', input: 'tel', isStyledBySite: true, autocomplete: 'tel' },
  website: { look: 'control', rule: 'website', input: 'url', isStyledBySite: true, autocomplete: 'url' },
  number: { look: 'control', rule: 'number', input: 'number' },
  date: { look: 'control', rule: 'date', input: 'date' },
  time: { look: 'time', rule: 'time', input: 'time', joins: 'time' },
  name: { look: 'control', rule: 'parts' },
  address: { look: 'control', rule: null },
  select: { look: 'control', rule: 'choice' },
  multiselect: { look: 'choices', rule: 'choice', joins: 'each' },
  radio: { look: 'choices', rule: 'radio' },
  checkbox: { look: 'choices', rule: 'boxes' },
  list: { look: 'list', rule: null, joins: 'rows' },
  fileupload: { look: 'file', rule: null, isNeverPrefilled: true },
  section: { look: 'section', rule: null, isSilent: true },
  page: { look: 'nothing', rule: null, isSilent: true },
} as const satisfies Record<string, ExtraKind> & NotCommon;

/** @returns `undefined` for a common kind. */
export const extraKind = (type: string): ExtraKind | undefined => EXTRA_KINDS[type as keyof typeof EXTRA_KINDS];
