/**
 * What the site has to know of one kind of form field: its row in the table of kinds.
 *
 * The rows are data. A name in a row (`look`, `judge`, `joins`) stands for a function, and the table of these functions is
 * checked by the compiler: a kind whose drawer or judge is missing does not compile.
 *
 * There is one table in two files, because each chunk of script carries its own rows: `common-kinds.ts` goes with every
 * form, `rare-kinds.ts` only with forms that need it. A kind stands in one of them.
 */
export interface Kind {
  /** How it is drawn (`DRAWERS` in `field.tsx` and `rare-fields.tsx`). */
  look: CommonLook | RareLook;
  /** How an answer is judged (`JUDGES` in `common-rules.ts` and `rare-rules.ts`). `null`: any text is good. */
  judge: CommonJudge | RareJudge | null;
  /** Type of the HTML input. Default: `text`. */
  input?: string;
  /** How several values become the field's answer (`JOINS` in `rare-rules.ts`). Default: one text with commas. */
  joins?: Join;
  /** It asks nothing, so nothing is sent. */
  isSilent?: true;
  /** The site's own stylesheet has its looks; any other needs the sheet of forms (decision 009). */
  isStyledBySite?: true;
  /** What was answered is not kept in the visitor's tab: consent is given anew each time. (Nor are files.) */
  isForgotten?: true;
  /** No address of a page may fill it in: a page cannot choose a visitor's file. */
  isNeverPrefilled?: true;
  /** Its `choices` in Gravity Forms are no choices for a visitor: a list's columns, a consent's box. They are not read. */
  hasNoChoices?: true;
  /** Token of the WHATWG autofill list, for each of its controls. */
  autocomplete?: string;
  /** Gravity Forms' setting in which its format lies. */
  format?: 'numberFormat' | 'phoneFormat' | 'dateFormat' | 'timeFormat';
  /** It has a control for each part. By the number that Gravity Forms gives the part; empty: parts have no meaning. */
  parts?: Record<string, Part>;
}

/** A row of `common-kinds.ts`. */
export interface CommonKind extends Kind {
  look: CommonLook;
  judge: CommonJudge | null;
  joins?: never;
}

/** A row of `rare-kinds.ts`: it may be an ordinary control, which every form's script draws. */
export interface RareKind extends Kind {
  look: 'control' | RareLook;
  judge: RareJudge | null;
}

/** A part of a name or an address. */
export interface Part {
  autocomplete: string;
  /** Without it Gravity Forms takes a required field for missing. */
  isNeeded?: true;
}

export type CommonLook = 'control' | 'consent' | 'hidden' | 'html';
export type RareLook = 'section' | 'choices' | 'list' | 'file' | 'time' | 'nothing';

export type CommonJudge = 'email';
export type RareJudge = 'website' | 'phone' | 'number' | 'date' | 'time' | 'choice' | 'radio' | 'boxes' | 'parts';

export type Join = 'each' | 'rows' | 'time';
