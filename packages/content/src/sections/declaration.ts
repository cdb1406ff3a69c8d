import type { Fact, Film, InlineText, Picture } from '../types.ts';

/**
 * Types of a section's declaration, from which follow the type of its values, validation and cleaning, the editor's
 * block and the data that WordPress sends. Nothing here reaches the browser: the page loads no declaration.
 */

/** Texts about a field for editors. */
interface Described {
  /** Name of the field in the editor, also for assistive technology. */
  label: string;
  /** Shown in the empty field. Default: `label`. */
  placeholder?: string;
  /** Shown in the sidebar under a picture, and in its empty frame. */
  help?: string;
  /** If the field is empty, its item or section is not shown. */
  isRequired?: true;
}

/** Plain text in one line. `kicker`: the short line above a headline; `title`: the heading of an item. */
export interface TextField extends Described {
  kind: 'text';
  as?: 'kicker' | 'title';
}

/** Text with marks (`TextRun`). `heading`: the section's headline; `quote`: a quotation. */
export interface InlineField extends Described {
  kind: 'inline';
  as?: 'heading' | 'quote';
}

/** Inline text of several paragraphs, separated by empty lines. */
export interface ParagraphsField extends Described {
  kind: 'paragraphs';
}

/** Texts of the editor's controls for rows. */
export interface RowNames {
  add: string;
  label: string;
  value: string;
  before: string;
  after: string;
  remove: string;
}

/** Pairs of label and value. */
export interface RowsField extends Described {
  kind: 'rows';
  names?: RowNames;
  /** Direction of the rows, for the arrows that move them. Default: `down`. */
  direction?: 'across' | 'down';
  /** Number of empty rows in the pattern for new pages. */
  begin?: number;
}

/** A picture of the media library. */
export interface PictureField extends Described {
  kind: 'picture';
  /** Behind the text, or in a separate frame next to it or within it. Default: `beside`. */
  place?: 'behind' | 'beside' | 'among';
  /** The member of which this is another crop. Both are edited in one place. */
  cropOf?: string;
  /** Text in the empty frame. Default: `help`. */
  hint?: string;
}

/** A film without sound from the media library (MP4 or WebM), over a picture behind the text. */
export interface FilmField extends Described {
  kind: 'film';
  /** The member with the picture that is shown before the film and without it. */
  poster: string;
}

/** Line drawing over a picture, as SVG markup. */
export interface DrawingField extends Described {
  kind: 'drawing';
}

/** Number of a form; 0: the site's own form. */
export interface FormNumberField extends Described {
  kind: 'form';
}

/** Sanitized HTML of WordPress' own blocks. The editor has no control for it. */
export interface HtmlField extends Described {
  kind: 'html';
}

/** Items, each a separate block inside the section. */
export interface ListField extends Described {
  kind: 'list';
  of: ItemDeclaration;
  /** Largest number of items: the site reads no more and the editor adds no more. Default: no limit. */
  most?: number;
  /** Number of empty items in a new section. Default: 2. */
  begin?: number;
  /** Label of the button that adds an item. */
  add?: string;
  direction?: 'across' | 'down';
  /** The member whose text becomes each item's `id`, a target for links with a hash. */
  anchor?: string;
}

export type ItemField = TextField | InlineField | ParagraphsField | RowsField | PictureField;
export type Field = ItemField | FilmField | DrawingField | FormNumberField | HtmlField | ListField;
export type SectionFieldKind = Field['kind'];

/** All kinds, and whether an item can have fields of the kind. */
const IS_FOR_ITEMS: Record<SectionFieldKind, boolean> = {
  text: true,
  inline: true,
  paragraphs: true,
  rows: true,
  picture: true,
  film: false,
  drawing: false,
  form: false,
  html: false,
  list: false,
};

export const SECTION_FIELD_KINDS = Object.keys(IS_FOR_ITEMS) as SectionFieldKind[];
export const ITEM_FIELD_KINDS: SectionFieldKind[] = SECTION_FIELD_KINDS.filter((kind) => IS_FOR_ITEMS[kind]);

/** The block's entry in the inserter. */
interface Block {
  /** Name of the block (`pillion/…`), of the section's `type` and of the folder. */
  name: string;
  title: string;
  description: string;
  /** Name of a WordPress Dashicon. */
  icon?: string;
  /** Search terms for the inserter, in addition to the title. */
  keywords?: readonly string[];
  /** Values for the inserter's preview, by member. */
  example?: Readonly<Record<string, unknown>>;
}

export interface ItemDeclaration extends Block {
  fields: Readonly<Record<string, ItemField>>;
}

export interface SectionDeclaration extends Block {
  fields: Readonly<Record<string, Field>>;
  /** Position in the inserter and in the pattern *Landing page*. Without it: last, and not in the pattern. */
  order?: number;
  /** A page can have only one. */
  isSingle?: true;
  /** Advice for editors in the sidebar. */
  guide?: string;
  /** WordPress makes the section from its own blocks, so the plugin registers no block for it. */
  isOfWordPress?: true;
}

/** Largest drawing, in characters. The page contains it twice, so use a picture for larger ones. */
export const LONGEST_DRAWING = 16_384;

/** Declares a section. Checks the type and keeps literal types; returns its argument. */
export const defineSection = <const Declaration extends SectionDeclaration>(declaration: Declaration): Declaration =>
  declaration;

interface ValuesByKind {
  text: string;
  inline: InlineText;
  paragraphs: InlineText[];
  rows: Fact[];
  film: Film | null;
  drawing: string | null;
  form: number;
  html: string;
}

type PictureOf<Given> = Given extends { isRequired: true } ? Picture : Picture | null;

type ItemOf<Given> = Given extends { of: { fields: infer Fields } }
  ? FieldValues<Fields> & (Given extends { anchor: string } ? { id: string } : unknown)
  : never;

type ValueOf<Given> = Given extends { kind: 'list' }
  ? ItemOf<Given>[]
  : Given extends { kind: 'picture' }
    ? PictureOf<Given>
    : Given extends { kind: keyof ValuesByKind }
      ? ValuesByKind[Given['kind']]
      : never;

type FieldValues<Fields> = { -readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

/** Checked and cleaned values of a section: its `type` and all members. */
export type ValuesOf<Declaration extends SectionDeclaration> = { type: Declaration['name'] } & FieldValues<
  Declaration['fields']
>;
