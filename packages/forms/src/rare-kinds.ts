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
  },
  website: { look: 'control', judge: 'website', input: 'url', isStyledBySite: true, autocomplete: 'url' },
  number: { look: 'control', judge: 'number', input: 'number' },
  date: { look: 'control', judge: 'date', input: 'date' },
  time: { look: 'time', judge: 'time', input: 'time', joins: 'time' },
  name: {
    look: 'control',
    judge: 'parts',
  },
  address: {
    look: 'control',
    judge: null,
  },
  select: { look: 'control', judge: 'choice' },
  multiselect: { look: 'choices', judge: 'choice', joins: 'each' },
  radio: { look: 'choices', judge: 'radio' },
  checkbox: { look: 'choices', judge: 'boxes' },
  list: { look: 'list', judge: null, joins: 'rows' },
  fileupload: { look: 'file', judge: null, isNeverPrefilled: true },
  section: { look: 'section', judge: null, isSilent: true },
  page: { look: 'nothing', judge: null, isSilent: true },
} as const satisfies Record<string, RareKind> & NotCommon;

/** @returns `undefined` for a common kind. */
export const rareKind = (type: string): RareKind | undefined => RARE_KINDS[type as keyof typeof RARE_KINDS];
