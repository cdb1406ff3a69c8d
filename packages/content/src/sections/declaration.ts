import type { Fact, InlineText, Picture } from '../types.ts';

/**
 * What a section is made of, said once. From its declaration come the type of its values, the check and cleaning of what
 * arrives, the block of the editor and what WordPress sends. Nothing here reaches the browser: types vanish, and the
 * page loads no declaration.
 */

/** What an editor reads of a field. */
interface Described {
  /** Names the field, in the editor and for assistive technology. */
  label: string;
  /** Stands in the field while it is empty. The label where there is none. */
  placeholder?: string;
  /** Drawn in the sidebar under a picture, and in its empty frame. */
  help?: string;
  /** An item in which this is empty is not shown; a section neither. */
  isRequired?: true;
}

/** Plain words in one line. `kicker` is the short line above a headline, `title` the heading of an item. */
export interface TextField extends Described {
  kind: 'text';
  as?: 'kicker' | 'title';
}

/** Words with marks: `em` is the turned word, `mark` steps back. `heading` is the section's own, `quote` what somebody says. */
export interface InlineField extends Described {
  kind: 'inline';
  as?: 'heading' | 'quote';
}

/** Inline text of several paragraphs: an empty line begins one. */
export interface ParagraphsField extends Described {
  kind: 'paragraphs';
}

/** What the editor says around rows. */
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
  /** How the rows stand, for the arrows that move them. Down where nothing is said. */
  direction?: 'across' | 'down';
  /** Empty rows in the pattern that a page is begun with. */
  begin?: number;
}

/** A picture of the media library. */
export interface PictureField extends Described {
  kind: 'picture';
  /** Behind the words, or in a frame of its own, beside or among them. Beside where nothing is said. */
  place?: 'behind' | 'beside' | 'among';
  /** The member that this one is another crop of: both are changed in one place. */
  cropOf?: string;
  /** In the empty frame, where it differs from `help`. */
  hint?: string;
}

/** Lines laid over a picture, as SVG markup. */
export interface DrawingField extends Described {
  kind: 'drawing';
}

/** Number of the form that visitors fill in; 0 is the site's own. */
export interface FormNumberField extends Described {
  kind: 'form';
}

/** Sanitised HTML, made of WordPress' own blocks. No editor types it into a field. */
export interface HtmlField extends Described {
  kind: 'html';
}

/** Items, each a block of its own inside the section. */
export interface ListField extends Described {
  kind: 'list';
  of: ItemDeclaration;
  /** More are not read, and the editor adds no more. No limit where nothing is said. */
  most?: number;
  /** Empty items that a new section begins with. Two where nothing is said. */
  begin?: number;
  /** On the button that adds one. */
  add?: string;
  direction?: 'across' | 'down';
  /** The member whose words become each item's `id`, so that a hash can name it. */
  anchor?: string;
}

export type ItemField = TextField | InlineField | ParagraphsField | RowsField | PictureField;
export type Field = ItemField | DrawingField | FormNumberField | HtmlField | ListField;
export type SectionFieldKind = Field['kind'];

/** All kinds, and whether a field of an item can be of it. */
const IS_FOR_ITEMS: Record<SectionFieldKind, boolean> = {
  text: true,
  inline: true,
  paragraphs: true,
  rows: true,
  picture: true,
  drawing: false,
  form: false,
  html: false,
  list: false,
};

export const SECTION_FIELD_KINDS = Object.keys(IS_FOR_ITEMS) as SectionFieldKind[];
export const ITEM_FIELD_KINDS: SectionFieldKind[] = SECTION_FIELD_KINDS.filter((kind) => IS_FOR_ITEMS[kind]);

/** What the block looks like in the inserter. */
interface Block {
  /** Of the block, `pillion/…`, and of the section's `type`. The folder's name. */
  name: string;
  title: string;
  description: string;
  /** Of WordPress' Dashicons. */
  icon?: string;
  /** By which the inserter finds it, besides its title. */
  keywords?: readonly string[];
  /** Values that the inserter's preview shows, by member. */
  example?: Readonly<Record<string, unknown>>;
}

export interface ItemDeclaration extends Block {
  fields: Readonly<Record<string, ItemField>>;
}

export interface SectionDeclaration extends Block {
  fields: Readonly<Record<string, Field>>;
  /** Place in the inserter and in the pattern *Landing page*. One without stands last, and not in the pattern. */
  order?: number;
  /** A page has one at most. */
  isSingle?: true;
  /** What an editor should know, in the sidebar. */
  guide?: string;
  /** WordPress makes it of its own blocks: it is no block of ours. */
  isOfWordPress?: true;
}

/**
 * In characters, the largest drawing that is read. The page has it twice, as markup and as data: what is larger
 * belongs into a picture.
 */
export const LONGEST_DRAWING = 16_384;

/** Declares a section. It changes nothing: it holds the declaration to its type and keeps every word of it. */
export const defineSection = <const Declaration extends SectionDeclaration>(declaration: Declaration): Declaration =>
  declaration;

interface ValuesByKind {
  text: string;
  inline: InlineText;
  paragraphs: InlineText[];
  rows: Fact[];
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

/** What the page gets of a section, once checked and cleaned: its `type` and every member, none of them missing. */
export type ValuesOf<Declaration extends SectionDeclaration> = { type: Declaration['name'] } & FieldValues<
  Declaration['fields']
>;
