import type { Picture } from '@pillion/lib/picture.ts';
import type { COMMON_KINDS } from './common-kinds.ts';
import type { EXTRA_KINDS } from './extra-kinds.ts';

/** The form that the server has read and the page shows. Missing values are `null`. */

export interface Choice {
  text: string;
  value: string;
  isSelected: boolean;
  /** Only for image choices. */
  image?: Picture | null;
}

/** One control of a field. Its name comes from the form's backend. Visitors send their answer under it. */
export interface FormInput {
  name: string;
  label: string;
  /** Whether this control is required, such as first and last name in a required name field. */
  isRequired: boolean;
  /** WHATWG autofill token; `null` if no token fits. */
  autocomplete: string | null;
  placeholder: string;
  defaultValue: string;
  /** Query parameter of the page that prefills the control (`utm_source`); `null` if it cannot be prefilled. */
  prefill: string | null;
  /** Choices of this control only, such as the titles of a name. */
  choices: Choice[];
}

export type LogicOperator = 'equals' | 'differs' | 'above' | 'below' | 'contains' | 'starts' | 'ends';

export interface LogicRule {
  /** Id of the field that the rule reads. */
  field: number;
  /** Name of one of its controls; `null`: any of them. */
  input: string | null;
  operator: LogicOperator;
  value: string;
}

/** Conditional logic of a field: it is shown or hidden if all or any of the rules hold. */
export interface Logic {
  /** `false`: the rules hide the field. */
  shows: boolean;
  needsAll: boolean;
  rules: LogicRule[];
}

/** Limits of a file field. */
export interface Upload {
  /** Accepted file extensions, in lower case and without the dot; empty: any safe type. */
  kinds: string[];
  /** If any type is accepted: the types that WordPress allows. `undefined` if WordPress does not report them. */
  known?: string[];
  /** Maximum size of one file, in bytes. */
  maxBytes: number;
  maxFiles: number;
}

/** Format of a number with currency. `before` and `after` are the symbols on both sides. */
export interface Currency {
  before: string;
  after: string;
  thousands: string;
  decimal: string;
  /** Number of decimal places. */
  decimals: number;
}

/** Kinds of field that the site supports: the rows of the two tables. */
export type FieldKind = keyof typeof COMMON_KINDS | keyof typeof EXTRA_KINDS;

/**
 * How visitors write the answer. `day-first`: a date, else the month is first. `12-hours`: a time with am or pm.
 * `decimal-comma` and `currency`: a number. `north-american`: a phone number such as (###) ###-####. Empty: the usual
 * format of the kind.
 */
export type FieldFormat = '' | 'day-first' | '12-hours' | 'decimal-comma' | 'currency' | 'north-american';

/** Members of all kinds of field. */
interface AnyField {
  id: number;
  label: string;
  description: string;
  isRequired: boolean;
  errorMessage: string;
  placeholder: string;
  inputs: FormInput[];
  choices: Choice[];
  format: FieldFormat;
  /** In characters; `null`: no limit. */
  maxLength: number | null;
  /** Range of a number; `null`: no limit. */
  min: number | null;
  max: number | null;
  /** Height of a textarea, in lines. */
  rows: number;
  /** `null`: always shown. */
  logic: Logic | null;
  /** The answer must be unique among all sign-ups; only the backend can check this. */
  isUnique?: true;
  /** Values that the backend expects with the answers, by control name. */
  fixed?: Record<string, string>;
}

/** Members of one kind of field. Optional members default to `false`, which keeps the form in each page small. */
export interface FieldOptions {
  consent: {
    /** Label of the checkbox, sanitised HTML (with a link to the privacy page). */
    consentHtml: string;
  };
  html: {
    /** Text between the fields, sanitised HTML. */
    html: string;
  };
  fileupload: { upload: Upload };
  checkbox: {
    /** Minimum and maximum number of selected choices, if any is selected. `null`: no limit. */
    choiceLimit?: { min: number | null; max: number | null };
  };
  radio: {
    /** A choice with the visitor's own text: the value of the choice, its label, and the name of the text's control. */
    other?: { value: string; text: string; name: string };
  };
  list: {
    /** Column headings; without them there is one column. */
    columns?: string[];
    /** Maximum number of rows. */
    maxRows?: number;
  };
  number: {
    currency?: Currency;
  };
  page: {
    /** Condition for going on from the page that ends here. */
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

/** One field, discriminated by `type`. */
export type FormField = { [K in FieldKind]: FieldOf<K> }[FieldKind];

/** Answers by control name; a list if several choices are possible. */
export type Answers = Record<string, string | string[]>;

/** Name and button labels of one page of a form. The last page's `next` is the submit button. */
export interface FormStep {
  name: string;
  next: string;
  previous: string;
}

/** The reason why a form is closed, and the message in its place (sanitised HTML). */
export interface FormClosed {
  reason: 'inactive' | 'trash' | 'full' | 'pending' | 'expired' | 'login' | 'unknown';
  html: string;
}

/** Opening and closing time of a form, in epoch milliseconds; `null`: no limit. The texts are sanitised HTML. */
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
  /** If it is not `null`, the form is not rendered and accepts nothing. */
  closed: FormClosed | null;
  /** Used by the server to set `closed` for each response; always `null` in a page. */
  schedule: FormSchedule | null;
  /** The number of entries is limited: the server asks the backend before it stores a sign-up. */
  isLimited: boolean;
  /** Condition for submitting the form; `null`: no condition. */
  submitLogic: Logic | null;
  fields: FormField[];
  /** The site's stylesheet covers all its fields (decision 009). */
  isStyledBySite: boolean;
  /** One for each page; empty for a form with one page. */
  steps: FormStep[];
  /** Name of the honeypot field; `null` for a form without one. */
  honeypot: string | null;
}
