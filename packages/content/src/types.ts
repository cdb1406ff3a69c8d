import type { Answers, Form } from '@pillion/forms/form.ts';
import type { Picture } from '@pillion/lib/picture.ts';
import type declared from '@pillion/plugin/data/texts.json';
import type { Look } from './theme.ts';

/**
 * Types of the data that the page gets. The server has fetched, validated and sanitized it and filled in defaults, so
 * components do not check again. A missing value is `null`, never `undefined` or an empty object.
 */

export type { Picture, PictureSource } from '@pillion/lib/picture.ts';

/** A film under the site's own URL. */
export interface Film {
  src: string;
  /** Size of the file; 0 if WordPress does not know it. */
  bytes: number;
}

/** Theme of a page, set by the editor (R2). Unknown values are read as the default, `dark`. */
export type Theme = 'dark' | 'light';

/** A language of the site (R28). The default is first in every list. */
export interface Language {
  /** BCP 47, as in the `lang` attribute: `de`, `pt-BR`. */
  tag: string;
  /** In the language itself: `Deutsch`. */
  name: string;
  dir: 'ltr' | 'rtl';
  /** Path of its front page: `/` for the default, `/de/` for another. */
  home: string;
}

/** Target of the language switcher on a page. */
export interface Translation {
  path: string;
  /**
   * Whether `path` is a translation of the page; `false`: it is the closest page in that language, or search engines may
   * not list it.
   */
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
  /** Set on social items whose CSS class names a network with an icon (R17). Other items show their title. */
  network: SocialNetwork | null;
}

export interface Menu {
  items: MenuItem[];
}

/** Menus by location (R17). A location without a menu has no items (R26). */
export interface Menus {
  main_menu: Menu;
  social_menu: Menu;
  legals_menu: Menu;
}

type TextGroups = (typeof declared)['groups'];

/** Type of a text's value, from its default and kind-specific members: in JSON `kind` is typed as `string`. */
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
 * All texts of the shell (R18), as declared in `plugins/pillion/data/texts.json`. Each missing text has its default of
 * R19. `null`: an optional text is empty.
 */
export interface Strings extends TextValues<TextGroups['']['texts']>, GroupedTexts {
  /** Named addresses used by forms and consent: `privacy`, `terms`, … */
  links: Record<string, string>;
  /** Changes of editors under *Pillion → Look*. Missing: no changes. */
  look?: Look;
}

/** A run of inline text. `em`: the highlighted word of a headline; `muted`: less prominent. */
export interface TextRun {
  text: string;
  mark: 'em' | 'strong' | 'muted' | null;
}

/** Inline text without HTML, so it needs no sanitizing. Empty if the editor left it empty. */
export type InlineText = TextRun[];

export interface Fact {
  label: string;
  value: string;
}

/** Sections by type. Each section adds itself in its own file, `packages/react/src/sections/<type>/section.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled from elsewhere, which only an interface can be.
export interface Sections {}

export type Section = Sections[keyof Sections];

export interface PageMeta {
  title: string;
  description: string;
  /** A path, which the server makes absolute with SITE_URL, or the absolute address of the original on another site. */
  canonical: string;
  noindex: boolean;
  /** Content of the robots meta tag, with `noindex` if the page is excluded; empty: no tag. */
  robots: string;
  image: Picture | null;
  share: { title: string; description: string };
  /** Parent pages, topmost first, without the front page. */
  trail: { title: string; path: string }[];
}

/** One page, ready to render or to send as JSON. */
export interface Page {
  /** Canonical path of the route, such as `/ferry-log/` (R29). */
  path: string;
  status: 200 | 403 | 404 | 410 | 413 | 422 | 429 | 500 | 503;
  lang: string;
  /** Language of the content if the page replaces a missing translation (decision 045). */
  standIn?: Pick<Language, 'tag' | 'dir'>;
  /** The page in each language, by tag. Absent: each language's front page. */
  translations?: Record<string, Translation>;
  title: string;
  /** Name in the template registry; `null`: a rich-text page without a template (R3). */
  template: string | null;
  theme: Theme;
  sections: Section[];
  meta: PageMeta;
  /** Result of a sign-up sent without JavaScript; set only on the page that responds to it. */
  outcome: SignUpOutcome | null;
  /** Search results; set only on the search page (R31). */
  search: SearchAnswer | null;
  /** On an error page: the request's id, which operators find in the log. */
  reference?: string;
}

/** A run of an excerpt. `isMatch`: it is a word of the query. */
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
  /** The query as searched: trimmed and cut to the longest length. Empty: no query. */
  query: string;
  total: number;
  /** Starts at 1. */
  page: number;
  pages: number;
  hits: SearchHit[];
  /** WordPress did not respond: only cached pages were searched. */
  isPartial: boolean;
}

/** Response to a sign-up: stored, or the errors by control name with the visitor's answers. */
export type SignUpOutcome =
  | { ok: true; confirmationHtml: string }
  | {
      ok: false;
      form: Form;
      errors: Record<string, string>;
      values: Answers;
      message: string | null;
      /** The request field `attribution`: this page has another address than the one with the campaign. */
      attribution?: string;
    };

/** Content of the shell, and the response of `/api/shell` (R23). */
export interface ShellContent {
  lang: string;
  dir: Language['dir'];
  home: Language['home'];
  /** All languages of the site, the default first. */
  languages: Language[];
  menus: Menus;
  strings: Strings;
}

/** Body of `/api/shell`. */
export type ShellAnswer = ShellContent & {
  /** Addresses of the language's additional stylesheets; absent if it has no such sheets. */
  styles?: string[];
};

/** Body of `/api/page`. Every response except a redirect carries a page. */
export type PageResponse = { status: 301 | 302; location: string } | { status: Page['status']; page: Page };

/** Data in the document from which the browser hydrates. */
export interface Boot {
  page: Page;
  shell: ShellContent;
  /** Name of this deployment, which the browser returns in the `Env` header (R22). */
  env: string;
  /** Whether the document contains the debug panel or the preview tools, which visitors do not get. */
  tools: boolean;
  /** Path of the analytics script (R46); `null`: no analytics. */
  analytics: string | null;
  /** Id of the tag manager that loads after consent (R47); `null`: no tag manager. */
  tagManager: string | null;
  /** Name of the build that rendered the document. A page of another build is loaded as a new document. */
  build: string;
  /** Set only in the document of a preview. */
  preview?: PreviewBoot;
}

/** How a preview was opened: `open` from WordPress, `link` by a shared link, `pane` in the block editor's pane. */
export type PreviewKind = 'open' | 'link' | 'pane';

/** State of the shown draft in WordPress. */
export interface PreviewState {
  /** Post status of WordPress: `draft`, `pending`, `future`, `private`, `publish`, `trash`. */
  status: string;
  /** When the shown content was saved, as ISO 8601 with offset. */
  saved: string;
  /** The same time in the site's time zone: `14:02`. */
  clock: string;
  /** When a scheduled page is published, as ISO 8601; `null` if it is not scheduled. */
  date: string | null;
  /** `autosave` and `saved` differ from the published page; `unchanged` equals it. */
  kind: 'saved' | 'autosave' | 'unchanged';
  title: string;
}

/** Data in the document of a preview. */
export interface PreviewBoot {
  /** Id of the post. */
  post: number;
  kind: PreviewKind;
  state: PreviewState;
  /** Path of the published page; `null` if it is not published. */
  live: string | null;
  /** Other pages that this editor may preview: post id by path. */
  drafts: Record<string, number>;
  /** For each section of the page the index of its top-level block; `null`: added by the site. */
  blocks: (number | null)[];
  /** Only in the pane: token that authorizes requests for unsaved content. */
  token?: string;
  /** Only in the pane: origin of the block editor. Messages from other origins are ignored. */
  editor?: string;
}

/** Kinds of problems that a draft would have on the site. */
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
  | 'film-without-picture'
  | 'film-large'
  | 'film-type'
  | 'film-elsewhere'
  | 'section-left-out'
  | 'item-left-out';

/** A problem of a draft, for the editor to check before they publish. */
export interface Problem {
  /** Index of the top-level block, from 0; `null`: the whole page. */
  block: number | null;
  kind: ProblemKind;
  /** Values for the message: an address, a length, a size. */
  values: Record<string, string | number>;
}

/** Body of `/preview/render`. */
export interface RenderedDraft {
  page: Page;
  blocks: (number | null)[];
}
