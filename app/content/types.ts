/**
 * What arrives at the page. The server has fetched, validated, sanitised and filled in defaults before any of these
 * exist, so nothing that reads them checks again. Missing is `null`, never `undefined` and never an empty stand-in.
 */

/** Theme of a page, the editor's choice (R2). An unknown one is read as the default, `dark`. */
export type Theme = 'dark' | 'light';

export interface Link {
  title: string;
  /** A path of this site (`/privacy-policy/`), a hash, or an absolute `https:`, `mailto:` or `tel:` address. */
  url: string;
  target: '' | '_blank';
}

export type SocialNetwork = 'twitter' | 'twitch' | 'linkedin' | 'instagram' | 'facebook';

export interface MenuItem extends Link {
  /** Set on social items whose class names a network we hold an icon for (R17); any other is shown by its title. */
  network: SocialNetwork | null;
}

export interface Menu {
  items: MenuItem[];
}

/** Menus by location (R17). A location without a menu is an empty one (R26). */
export interface Menus {
  main_menu: Menu;
  social_menu: Menu;
  legals_menu: Menu;
}

/** Every text of the shell (R18) with the defaults of R19 filled in one by one. */
export interface Strings {
  brand: string;
  /** VAT number, fills `{number}` in the colophon. */
  number: string;
  /** The brand's mark as sanitised SVG markup that paints in `currentColor`; `null`: the brand's name is set in type. */
  logo: string | null;
  /** One sentence about the site: description of pages that have none of their own. */
  description: string;
  /** Named addresses used by forms and consent: `privacy`, `terms`, … */
  links: Record<string, string>;
  labels: {
    join: string;
    scroll: string;
    sound: string;
    skip: string;
    /** Button that opens the footer on small screens, and the one that closes it again. */
    more: string;
    less: string;
    /** Names of the navigation regions for assistive technology. */
    main: string;
    legal: string;
    social: string;
  };
  footer: { colophon: string };
  audio: { url: string | null };
  form: {
    form_id: number;
    sending: string;
    /** Heads the summary of what is wrong with an answer. */
    invalid: string;
    /** Said when the sign-up could not be stored, and what to do. */
    failed: string;
    /** Said of a required field left empty, and of an e-mail address that is none, where the form has no words of its own. */
    required: string;
    email: string;
    /** Of a second address that is not the first. */
    confirm: string;
    website: string;
    phone: string;
    number: string;
    /** Of a number below its range and above it; `{min}` and `{max}` stand for its ends. */
    least: string;
    most: string;
    date: string;
    /** Of a choice that is not among the offered. */
    choice: string;
    /** Of a text that is too long; `{max}` stands for the characters that fit. */
    long: string;
    /** Said when so many came from the visitor's network that hers has to wait. */
    busy: string;
    /** What a field for files takes, each a sentence of its own; `{kinds}` and `{max}` are filled in. */
    file_kinds: string;
    file_size: string;
    file_count: string;
    /** Of all files of a form together. */
    file_total: string;
    /** Said of one that is not taken, before the reason; `{file}` stands for its name. */
    file_refused: string;
    file_empty: string;
    /** Said where the page had to be loaded anew: a browser forgets what was chosen. */
    file_again: string;
    /** On the button that takes a file out again, before its name. */
    file_remove: string;
  };
  fourohfour: { title: string; paragraph: string; link: Link };
  /** The page that stands where one was deleted, or an editor said that it is gone (410). */
  gone: { title: string; paragraph: string; link: Link };
  /** The error page, for a page that exists but cannot be shown now. */
  /** `reference` stands before the request's id on the page of a fault; `{id}` is filled in. */
  error: { title: string; paragraph: string; link: Link; reference: string };
  /** The search page (R31). `{count}` and `{query}` are filled in. */
  search: {
    title: string;
    submit: string;
    one: string;
    many: string;
    none: string;
    /** Said where WordPress did not answer and only what is kept was searched. */
    partial: string;
    /** Said while one types and nothing can be asked: without network, and where the site does not answer. */
    offline: string;
    failed: string;
    previous: string;
    next: string;
  };
  /** The consent dialog (R47): only where a tag manager is set up. */
  consent: {
    title: string;
    description: string;
    accept: string;
    reject: string;
    /** Button that shows the purposes, the purposes, and the button that keeps what was ticked. */
    settings: string;
    statistics: string;
    marketing: string;
    save: string;
    /** Title of the link to `links.cookies`, or else `links.privacy`. */
    policy: string;
    /** Button in the footer that opens the dialog again. */
    reopen: string;
    /** Said once a consent was taken back. */
    withdrawn: string;
  };
}

export interface PictureSource {
  src: string;
  /** Width of this file in pixels, for `srcset`. */
  width: number;
}

/** A picture under the site's own address, with every size WordPress made of it at the same aspect ratio. */
export interface Picture {
  src: string;
  alt: string;
  width: number;
  height: number;
  /** Ascending by width, `src` among them. */
  sources: PictureSource[];
}

/** A stretch of inline text; `em` is the turned word of a headline, `muted` steps back. */
export interface TextRun {
  text: string;
  mark: 'em' | 'strong' | 'muted' | null;
}

/** Inline text without markup: no HTML, so nothing to sanitise on the way to the page. Empty when the editor left it so. */
export type InlineText = TextRun[];

export interface Fact {
  label: string;
  value: string;
}

export interface HeroSection {
  type: 'hero';
  heading: InlineText;
  picture: Picture | null;
  /** Crop for upright screens; without one `picture` serves both. */
  portrait: Picture | null;
}

export interface StatementSection {
  type: 'statement';
  kicker: string;
  heading: InlineText;
  facts: Fact[];
  picture: Picture | null;
  /**
   * Lines over the picture, in the same box: sanitised SVG markup that paints in `currentColor`, each line's length
   * counted as 1.
   */
  drawing: string | null;
}

export interface ActsSection {
  type: 'acts';
  /** Heading for assistive technology and outline; may be empty. */
  heading: InlineText;
  items: Act[];
}

export interface Act {
  label: string;
  title: string;
  text: string;
  picture: Picture | null;
  /** Crop for upright screens; without one `picture` serves both. */
  portrait: Picture | null;
}

export interface FeatureSection {
  type: 'feature';
  kicker: string;
  heading: InlineText;
  text: string;
  figures: Fact[];
  picture: Picture | null;
  detail: Picture | null;
}

/** Pictures in a row that is scrolled sideways, the first one large. */
export interface GallerySection {
  type: 'gallery';
  kicker: string;
  heading: InlineText;
  items: GalleryItem[];
}

export interface GalleryItem {
  picture: Picture;
  title: string;
  text: string;
}

export interface QuoteSection {
  type: 'quote';
  kicker: string;
  quote: InlineText;
  /** Who or what says so. */
  source: string;
  picture: Picture | null;
}

export interface QuestionsSection {
  type: 'questions';
  kicker: string;
  heading: InlineText;
  items: Question[];
}

export interface Question {
  /** What a hash names it by; made of its words, once on its page. */
  id: string;
  question: string;
  /** By paragraphs; a newline within one is the editor's. */
  answer: InlineText[];
}

export interface SignUpSection {
  type: 'sign-up';
  kicker: string;
  heading: InlineText;
  text: string;
  picture: Picture | null;
  portrait: Picture | null;
  /** The form of `strings.form.form_id`, or the section's own; `null` when no definition could be had. */
  form: Form | null;
}

export interface WordmarkSection {
  type: 'wordmark';
}

/** Any run of ordinary WordPress blocks between our own, sanitised. */
export interface RichTextSection {
  type: 'rich-text';
  html: string;
}

export type Section =
  | HeroSection
  | StatementSection
  | ActsSection
  | FeatureSection
  | GallerySection
  | QuoteSection
  | QuestionsSection
  | SignUpSection
  | WordmarkSection
  | RichTextSection;

export interface Choice {
  text: string;
  value: string;
  isSelected: boolean;
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
  /** Largest single file. */
  maxBytes: number;
  maxFiles: number;
}

export interface FormField {
  id: number;
  /** Gravity Forms' own field type; one that is not handled is not rendered (and logged by the server). */
  type: string;
  label: string;
  description: string;
  isRequired: boolean;
  errorMessage: string;
  placeholder: string;
  inputs: FormInput[];
  choices: Choice[];
  /** What a consent box says, sanitised HTML (it links to the privacy page); `null` on other fields. */
  consentHtml: string | null;
  /** Text between the fields, sanitised HTML; `null` on other fields. */
  html: string | null;
  /** How Gravity Forms wants it written: `mdy`, `dmy_dot`, … of a date, `decimal_comma` of a number, `standard` of a phone. */
  format: string;
  /** Longest answer in characters, and the range of a number; `null`: none. */
  maxLength: number | null;
  min: number | null;
  max: number | null;
  /** Lines of a long text. */
  rows: number;
  /** `null` on fields that take no file. */
  upload: Upload | null;
  /** `null`: always asked. */
  logic: Logic | null;
}

/** Answers by control name (`input_1`, `input_4_3`); a list where several may be chosen. */
export type Answers = Record<string, string | string[]>;

/** What one page of a form is called, and what its buttons say; the last one's `next` is the form's own button. */
export interface FormStep {
  name: string;
  next: string;
  previous: string;
}

export interface Form {
  id: number;
  title: string;
  description: string;
  submit: string;
  fields: FormField[];
  /** One for each page; empty where the form has only one. */
  steps: FormStep[];
  /** Name of the trap field, `null` where the form has none. */
  honeypot: string | null;
  confirmation: { type: 'message'; html: string } | { type: 'redirect'; url: string };
}

export interface PageMeta {
  title: string;
  description: string;
  /** Path; the server makes it absolute with SITE_URL. */
  canonical: string;
  noindex: boolean;
  image: Picture | null;
  /** For shared links. */
  share: { title: string; description: string };
  /** The pages it lies under, from the top, without the front page. */
  trail: { title: string; path: string }[];
  /** What an SEO plugin says of it (schema.org), for the document's head only; empty where it says nothing. */
  schema: Record<string, unknown>[];
}

/** One page, ready to be rendered or sent as JSON. */
export interface Page {
  /** The route's own form (`/ferry-log/`), canonical (R29). */
  path: string;
  status: 200 | 404 | 410 | 413 | 422 | 429 | 500 | 503;
  lang: string;
  title: string;
  /** Name in the template registry; `null`: a plain rich-text page (R3). */
  template: string | null;
  theme: Theme;
  sections: Section[];
  meta: PageMeta;
  /** What became of a sign-up sent without script; only on the page that answers it. */
  outcome: SignUpOutcome | null;
  /** What was found; only on the search page (R31). */
  search: SearchAnswer | null;
  /** Of a fault: the request's id, by which whoever runs the site finds it in the log. */
  reference?: string;
}

/** A stretch of an excerpt: whether it is one of the words that were looked for. */
export interface ExcerptRun {
  text: string;
  isMatch: boolean;
}

export interface SearchHit {
  path: string;
  title: string;
  excerpt: ExcerptRun[];
}

export interface SearchAnswer {
  /** As it is looked for: trimmed, cut to a length that names something. Blank: nothing was asked. */
  query: string;
  total: number;
  /** From 1. */
  page: number;
  pages: number;
  hits: SearchHit[];
  /** WordPress did not answer: only what is kept of the site was searched. */
  isPartial: boolean;
}

/** The server's word on a sign-up: stored, or what is wrong, by input name (`input_1`), with the answers to keep. */
export type SignUpOutcome =
  | { ok: true; confirmationHtml: string }
  | { ok: false; form: Form; errors: Record<string, string>; values: Answers; message: string | null };

/** Menus and strings: what the shell needs, and what `/api/shell` answers (R23). */
export interface ShellContent {
  lang: string;
  menus: Menus;
  strings: Strings;
}

/** The body of `/api/page`. A redirect carries no page, everything else does. */
export type PageAnswer = { status: 301 | 302; location: string } | { status: Page['status']; page: Page };

/** What the document hands the browser to hydrate from. */
export interface Boot {
  page: Page;
  shell: ShellContent;
  /** Name of this deployment, sent back in the `Env` header (R22). */
  env: string;
  debug: boolean;
  /** Path of the analytics script (R46), `null` where there is none. */
  analytics: string | null;
  /** Id of the tag manager that waits for consent (R47), `null` where there is none. */
  tagManager: string | null;
  /** Name of the build that made the document; a page that comes from another build is loaded as a document. */
  build: string;
}
