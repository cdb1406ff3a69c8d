import type { Answers, Form } from '@pillion/forms/form.ts';
import type { Picture } from '@pillion/lib/picture.ts';
import type declared from '@pillion/plugin/data/texts.json';

/**
 * What arrives at the page. The server has fetched, validated, sanitised and filled in defaults before any of these
 * exist, so nothing that reads them checks again. Missing is `null`, never `undefined` and never an empty stand-in.
 */

export type { Picture, PictureSource } from '@pillion/lib/picture.ts';

/** Theme of a page, the editor's choice (R2). An unknown one is read as the default, `dark`. */
export type Theme = 'dark' | 'light';

/** A language of the site (R28). The first of them is the default. */
export interface Language {
  /** BCP 47, as it stands in `lang`: `de`, `pt-BR`. */
  tag: string;
  /** In its own words: `Deutsch`. */
  name: string;
  dir: 'ltr' | 'rtl';
  /** Path of its front page: `/` for the default, `/de/` for another. */
  home: string;
}

/** Where the switcher leads to from a page. */
export interface Translation {
  path: string;
  /** Whether the same page stands there in its own right; where not, it is the nearest there is. */
  isSame: boolean;
}

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

type TextGroups = (typeof declared)['groups'];

/** Type of a text's value, by its default and by what some kinds declare: JSON keeps `kind` as a `string` only. */
type TextValue<Text extends { default: unknown }> =
  | (Text extends { default: string | number }
      ? Text['default']
      : Text extends { default: object }
        ? Link
        : Text extends { least: number }
          ? number
          : Text extends { choices: infer Choices }
            ? Exclude<keyof Choices, ''>
            : string)
  | Extract<Text['default'], null>;

type TextValues<Texts extends Record<string, { default: unknown }>> = { [Name in keyof Texts]: TextValue<Texts[Name]> };

type GroupedTexts = { [Group in Exclude<keyof TextGroups, ''>]: TextValues<TextGroups[Group]['texts']> };

/**
 * Every text of the shell (R18), as `plugins/pillion/data/texts.json` declares it, with the defaults of R19 filled in one
 * by one. `null`: an optional one is empty.
 */
export interface Strings extends TextValues<TextGroups['']['texts']>, GroupedTexts {
  /** Named addresses used by forms and consent: `privacy`, `terms`, … */
  links: Record<string, string>;
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

/**
 * Sections by their type. Each adds itself from its own folder (`packages/react/src/sections/<type>/section.ts`), so nothing is listed.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled from elsewhere, which only an interface can be.
export interface Sections {}

export type Section = Sections[keyof Sections];

export interface PageMeta {
  title: string;
  description: string;
  /** Path, which the server makes absolute with SITE_URL, or the address of a page elsewhere that this one is a copy of. */
  canonical: string;
  noindex: boolean;
  /** Content of the robots meta, `noindex` among its words where the page is kept out; blank: there is none. */
  robots: string;
  image: Picture | null;
  /** For shared links. */
  share: { title: string; description: string };
  /** The pages it lies under, from the top, without the front page. */
  trail: { title: string; path: string }[];
}

/** One page, ready to be rendered or sent as JSON. */
export interface Page {
  /** The route's own form (`/ferry-log/`), canonical (R29). */
  path: string;
  status: 200 | 403 | 404 | 410 | 413 | 422 | 429 | 500 | 503;
  lang: string;
  /** Language of what the page says, where it stands in for a translation that is missing (decision 045). */
  standIn?: Pick<Language, 'tag' | 'dir'>;
  /** Where the page stands in each language, by tag; absent: at each language's front page. */
  translations?: Record<string, Translation>;
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
  dir: Language['dir'];
  home: Language['home'];
  /** All of the site, the default first. */
  languages: Language[];
  menus: Menus;
  strings: Strings;
}

/** The body of `/api/shell`. */
export type ShellAnswer = ShellContent & {
  /** Addresses of the sheets that the language needs beside the site's own; absent where it needs none. */
  styles?: string[];
};

/** The body of `/api/page`. A redirect carries no page, everything else does. */
export type PageResponse = { status: 301 | 302; location: string } | { status: Page['status']; page: Page };

/** What the document hands the browser to hydrate from. */
export interface Boot {
  page: Page;
  shell: ShellContent;
  /** Name of this deployment, sent back in the `Env` header (R22). */
  env: string;
  /** The document carries what no visitor gets: the debug panel, or what makes it a preview. */
  tools: boolean;
  /** Path of the analytics script (R46), `null` where there is none. */
  analytics: string | null;
  /** Id of the tag manager that waits for consent (R47), `null` where there is none. */
  tagManager: string | null;
  /** Name of the build that made the document; a page that comes from another build is loaded as a document. */
  build: string;
  /** Only in the document of a preview. */
  preview?: PreviewBoot;
}

/** How a preview was come by: from WordPress, by a link that an editor gave away, in the pane beside the block editor. */
export type PreviewKind = 'open' | 'link' | 'pane';

/** What WordPress says of the draft that a preview shows. */
export interface PreviewState {
  /** WordPress' own word: `draft`, `pending`, `future`, `private`, `publish`, `trash`. */
  status: string;
  /** When what is shown was saved, as ISO 8601 with its offset. */
  saved: string;
  /** The same as a clock shows it where the editor is: `14:02`. */
  clock: string;
  /** When a scheduled page will be published, as ISO 8601; `null` where it is not scheduled. */
  date: string | null;
  /** `autosave` and `saved` differ from what visitors see, `unchanged` is what they see. */
  kind: 'saved' | 'autosave' | 'unchanged';
  title: string;
}

/** What a preview's document tells the browser beside the page. */
export interface PreviewBoot {
  /** Number of the post. */
  post: number;
  kind: PreviewKind;
  state: PreviewState;
  /** Path of the page that visitors see; `null` where there is none. */
  live: string | null;
  /** Pages this editor may see in preview too, as number by path. */
  drafts: Record<string, number>;
  /** For each of the page's sections the top-level block that it comes from; `null`: the site's own addition. */
  blocks: (number | null)[];
  /** Only in the pane: by which it asks for what was typed. */
  token?: string;
  /** Only in the pane: origin of the block editor, the only one it listens to. */
  editor?: string;
}

/** What would be wrong on the site. */
export type ProblemKind =
  | 'picture-undescribed'
  | 'headline-missing'
  | 'two-heroes'
  | 'form-missing'
  | 'link-dead'
  | 'contrast-low'
  | 'title-long'
  | 'description-long'
  | 'picture-small'
  | 'section-left-out'
  | 'item-left-out';

/** One thing that would be wrong on the site, for an editor to look at before she publishes. */
export interface Problem {
  /** Top-level block, from 0; `null`: the whole page. */
  block: number | null;
  kind: ProblemKind;
  /** What a sentence about it names: an address, a length, a size. */
  values: Record<string, string | number>;
}

/** What `/preview/render` answers. */
export interface RenderedDraft {
  page: Page;
  blocks: (number | null)[];
}
