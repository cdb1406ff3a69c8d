import type { Picture } from '@pillion/lib/picture.ts';
import type { COMMON_KINDS } from './common-kinds.ts';
import type { RARE_KINDS } from './rare-kinds.ts';

/** A form as the server has read it and the page shows it. Missing is `null`. */

export interface Choice {
  text: string;
  value: string;
  isSelected: boolean;
  /** Of an image choice; only there. */
  image?: Picture | null;
}

/** One control of a field, named as Gravity Forms wants it back: `input_1`, `input_4_3`. */
export interface FormInput {
  name: string;
  label: string;
  /** Whether it must be filled in on its own, as first and last name must in a name that is required. */
  isRequired: boolean;
  /** WHATWG autofill token, or `null` where none fits. */
  autocomplete: string | null;
  placeholder: string;
  defaultValue: string;
  /** Name in the page's query that fills it in (`utm_source`), `null` where nothing does. */
  prefill: string | null;
  /** Of a part that offers some, as titles before a name; a field's own choices are the field's. */
  choices: Choice[];
}

export type LogicOperator = 'is' | 'isnot' | '>' | '<' | 'contains' | 'starts_with' | 'ends_with';

export interface LogicRule {
  /** Id of the field whose answer decides, and the one control of it that does; `null`: any of its controls. */
  field: number;
  input: string | null;
  operator: LogicOperator;
  value: string;
}

/** When a field is asked: where all or any of the rules hold it is shown, or hidden. */
export interface Logic {
  shows: boolean;
  needsAll: boolean;
  rules: LogicRule[];
}

/** What a field for files takes. */
export interface Upload {
  /** Endings of the names, in lower case and without the dot; empty: any kind that is safe to keep. */
  kinds: string[];
  /** Where any kind is taken: those that WordPress keeps. Not there: it has not said. */
  known?: string[];
  /** Largest single file. */
  maxBytes: number;
  maxFiles: number;
}

/** What one number in currency format looks like. `before` and `after` are the symbol's places. */
export interface Currency {
  before: string;
  after: string;
  thousands: string;
  decimal: string;
  /** Digits behind the decimal sign. */
  decimals: number;
}

/** Kinds of field that the site draws, by Gravity Forms' own names: the rows of the two tables. */
export type FieldKind = keyof typeof COMMON_KINDS | keyof typeof RARE_KINDS;

/** What fields of every kind have. */
interface AnyField {
  id: number;
  label: string;
  description: string;
  isRequired: boolean;
  errorMessage: string;
  placeholder: string;
  inputs: FormInput[];
  choices: Choice[];
  /** How Gravity Forms wants it written: `mdy`, `dmy_dot`, … of a date, `decimal_comma` of a number, `standard` of a phone. */
  format: string;
  /** Longest answer in characters, and the range of a number; `null`: none. */
  maxLength: number | null;
  min: number | null;
  max: number | null;
  /** Lines of a long text. */
  rows: number;
  /** `null`: always asked. */
  logic: Logic | null;
  /** No other sign-up may have the same answer; only WordPress knows. */
  isUnique?: true;
  /** Sent with the answers, by control name, as Gravity Forms' own page does in hidden controls. */
  fixed?: Record<string, string>;
}

/**
 * What only fields of one kind have. A member with `?` that is not there is not so: a form is sent with every page that
 * shows it, and most fields have none of these.
 */
export interface FieldOptions {
  consent: {
    /** What the box says, sanitised HTML (it links to the privacy page). */
    consentHtml: string;
  };
  html: {
    /** Text between the fields, sanitised HTML. */
    html: string;
  };
  fileupload: { upload: Upload };
  checkbox: {
    /** How many choices must be made, where any are. `null`: no limit on that side. */
    choiceLimit?: { min: number | null; max: number | null };
  };
  radio: {
    /** A choice of one's own words, sent as `gf_other_choice` with the words under this name. */
    other?: { name: string; text: string };
  };
  list: {
    /** Headings of the columns; none: it has one column. */
    columns?: string[];
    /** Rows it can have. */
    maxRows?: number;
  };
  number: {
    /** How a number in currency format is written. */
    currency?: Currency;
  };
  page: {
    /** Which answers let the visitor turn the page that this break ends. */
    nextLogic?: Logic;
  };
}

/** The same members on fields of another kind. */
interface NoOptions {
  consentHtml: null;
  html: null;
  upload: null;
  choiceLimit?: undefined;
  other?: undefined;
  columns?: undefined;
  maxRows?: undefined;
  currency?: undefined;
  nextLogic?: undefined;
}

type OptionsOf<K extends FieldKind> = K extends keyof FieldOptions
  ? FieldOptions[K] & Omit<NoOptions, keyof FieldOptions[K]>
  : NoOptions;

type FieldOf<K extends FieldKind> = AnyField & { type: K } & OptionsOf<K>;

/** One field. `type` says which kind it is, and with it which options it has. */
export type FormField = { [K in FieldKind]: FieldOf<K> }[FieldKind];

/** Answers by control name (`input_1`, `input_4_3`); a list where several may be chosen. */
export type Answers = Record<string, string | string[]>;

/** What one page of a form is called, and what its buttons say; the last one's `next` is the form's own button. */
export interface FormStep {
  name: string;
  next: string;
  previous: string;
}

/** Why nothing can be sent, and what is said in the form's place (sanitised HTML). */
export interface FormClosed {
  reason: 'inactive' | 'trash' | 'full' | 'pending' | 'expired' | 'login' | 'unknown';
  html: string;
}

/** When a form opens and closes by the clock, in epoch milliseconds; `null`: open on that side. The texts are sanitised HTML. */
export interface FormSchedule {
  opens: number | null;
  closes: number | null;
  pendingHtml: string;
  expiredHtml: string;
}

export interface Form {
  id: number;
  title: string;
  description: string;
  submit: string;
  /** Where it is not `null` the form is not drawn and nothing is taken. */
  closed: FormClosed | null;
  /** Kept by the server, which judges `closed` by it with each answer; a page has `null`. */
  schedule: FormSchedule | null;
  /** How many may send it is limited: WordPress is asked before a sign-up is stored. */
  isLimited: boolean;
  /** Which answers the form can be sent with; `null`: any. */
  submitLogic: Logic | null;
  fields: FormField[];
  /** The site's own stylesheet has all that its fields need (decision 009). */
  isStyledBySite: boolean;
  /** One for each page; empty where the form has only one. */
  steps: FormStep[];
  /** Name of the trap field, `null` where the form has none. */
  honeypot: string | null;
}
