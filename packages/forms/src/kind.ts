/**
 * One kind of form field: a row in the table of kinds.
 *
 * The rows are data. A name in a row (`look`, `rule`, `joins`) refers to a function. The compiler checks the tables of
 * these functions: a kind without its function does not compile.
 *
 * The table is split into two files, so that each chunk of script contains only its rows: `common-kinds.ts` for every
 * form, `extra-kinds.ts` only for forms that need it. A kind is in one of them.
 */
export interface Kind {
  /** The component that renders it (`COMPONENTS` in `field.tsx` and `extra-fields.tsx`). */
  look: CommonLook | ExtraLook;
  /** The rule for its answers (`RULES` in `common-rules.ts` and `extra-rules.ts`). `null`: any text is valid. */
  rule: CommonRule | ExtraRule | null;
  /** Type of the HTML input. Default: `text`. */
  input?: string;
  /** How several values are joined (`JOINS` in `extra-rules.ts`). Default: with commas. */
  joins?: Join;
  /** It has no answer, so nothing is sent. */
  isSilent?: true;
  /** The site's stylesheet covers it; other kinds need the stylesheet of forms (decision 009). */
  isStyledBySite?: true;
  /**
   * The draft in the visitor's tab does not store the answer: consent must be given again. (Nor does it store files.)
   */
  isForgotten?: true;
  /** The page's query cannot prefill it, because a page cannot choose a visitor's file. */
  isNeverPrefilled?: true;
  /** WHATWG autofill token for its controls. */
  autocomplete?: string;
}

/** A row of `common-kinds.ts`. */
export interface CommonKind extends Kind {
  look: CommonLook;
  rule: CommonRule | null;
  joins?: never;
}

/** A row of `extra-kinds.ts`. Its look may be the common `control`. */
export interface ExtraKind extends Kind {
  look: 'control' | ExtraLook;
  rule: ExtraRule | null;
}

export type CommonLook = 'control' | 'consent' | 'hidden' | 'html';
export type ExtraLook = 'section' | 'choices' | 'list' | 'file' | 'time' | 'nothing';

export type CommonRule = 'email';
export type ExtraRule = 'website' | 'phone' | 'number' | 'date' | 'time' | 'choice' | 'radio' | 'boxes' | 'parts';

export type Join = 'each' | 'rows' | 'time';
