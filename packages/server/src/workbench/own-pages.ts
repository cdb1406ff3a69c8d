import type { Menu, Page, SearchAnswer, ShellContent } from '@pillion/content/types.ts';
import type { Form } from '@pillion/forms/form.ts';
import { COMPOUND, NAME, SENTENCE, times, UNBROKEN } from '@pillion/react/workbench/samples.ts';
import { prepareBlankPage } from '../http/blank.tsx';
import type { PageAssets } from '../http/manifest.ts';
import { errorPage, gonePage, notFoundPage, searchPage, signUpPage } from '../http/page-responses.ts';
import { bareErrorResponse, uncompressedResponse } from '../http/responses.ts';

/** A page with the shell, or a complete response without it. */
export type OwnPage = { page: Page; shell: ShellContent; tagManager?: string } | Response;

export interface OwnPagesOptions {
  path: string;
  shell: ShellContent;
  assets: PageAssets;
  /** A page with one text section. */
  text: Page;
  form: Form;
}

type OwnStates = Record<string, (options: OwnPagesOptions) => OwnPage>;

const LONG_LINK = { title: COMPOUND, url: '/', target: '' as const };
const LONG_TEXTS = { title: `${COMPOUND} ${UNBROKEN}`, paragraph: `${SENTENCE} ${UNBROKEN}`, link: LONG_LINK };

/** A shell with some of its texts changed. */
const withTexts = (shell: ShellContent, strings: Partial<ShellContent['strings']>): ShellContent => ({
  ...shell,
  strings: { ...shell.strings, ...strings },
});

const ERROR_PAGES: OwnStates = {
  'not found': ({ path, shell }) => ({ page: notFoundPage(path, shell), shell }),
  'not found, longest': ({ path, shell }) => {
    const long = withTexts(shell, { fourohfour: LONG_TEXTS });
    return { page: notFoundPage(path, long), shell: long };
  },
  'not found, a word': ({ path, shell }) => {
    const short = withTexts(shell, { fourohfour: { ...shell.strings.fourohfour, title: 'Lost' } });
    return { page: notFoundPage(path, short), shell: short };
  },
  gone: ({ path, shell }) => ({ page: gonePage(path, shell), shell }),
  fault: ({ path, shell }) => ({ page: { ...errorPage(path, shell, 500), reference: 'a1b2c3d4' }, shell }),
  'fault, longest': ({ path, shell }) => {
    const long = withTexts(shell, { error: { ...LONG_TEXTS, reference: shell.strings.error.reference } });
    return { page: { ...errorPage(path, long, 500), reference: UNBROKEN }, shell: long };
  },
  unavailable: ({ path, shell }) => ({ page: errorPage(path, shell, 503), shell }),
  'too large': ({ path, shell }) => ({ page: errorPage(path, shell, 413), shell }),
  'too many requests': ({ path, shell }) => ({ page: errorPage(path, shell, 429), shell }),
  'nothing known yet': ({ assets }) => uncompressedResponse(prepareBlankPage(assets)),
  'last resort': () => bareErrorResponse('a1b2c3d4'),
};

const createHit = (index: number) => ({
  path: `/result-${index}/`,
  title: `Result ${index + 1}`,
  excerpt: [
    { text: SENTENCE.slice(0, 40), isMatch: false },
    { text: 'path', isMatch: true },
    { text: SENTENCE.slice(40), isMatch: false },
  ],
});

const LONG_HIT = { path: '/longest/', title: `${COMPOUND} ${UNBROKEN}`, excerpt: [{ text: UNBROKEN, isMatch: true }] };

/** @param answer Members of the response to a search for `path`; the default is one without results. */
const searchState =
  (answer: Partial<SearchAnswer>) =>
  ({ shell }: OwnPagesOptions) => ({
    page: searchPage(shell, { query: 'path', total: 0, page: 1, pages: 1, hits: [], isPartial: false, ...answer }),
    shell,
  });

const SEARCH: OwnStates = {
  'nothing asked': searchState({ query: '' }),
  none: searchState({}),
  one: searchState({ total: 1, hits: [createHit(0)] }),
  twelve: searchState({ total: 12, hits: times(12, createHit) }),
  'second of three pages': searchState({ total: 30, page: 2, pages: 3, hits: times(10, createHit) }),
  longest: searchState({ query: UNBROKEN, total: 2, hits: [LONG_HIT, createHit(0)] }),
  'only what is kept': searchState({ total: 1, hits: [createHit(0)], isPartial: true }),
};

/** Responses to sign-ups without script. */
const SIGN_UP_RESPONSES: OwnStates = {
  thanked: ({ shell }) => ({
    page: signUpPage(shell, 200, { ok: true, confirmationHtml: `<p>${SENTENCE}</p>` }),
    shell,
  }),
  refused: ({ shell, form }) => {
    const { invalid, required } = shell.strings.form;
    const errors = Object.fromEntries(form.fields.map(({ inputs }) => [inputs[0]?.name ?? '', required]));
    return { page: signUpPage(shell, 422, { ok: false, form, errors, values: {}, message: invalid }), shell };
  },
  'too many sign-ups': ({ shell, form }) => {
    const message = shell.strings.form.busy;
    return { page: signUpPage(shell, 429, { ok: false, form, errors: {}, values: {}, message }), shell };
  },
  'cannot be stored': ({ shell, form }) => {
    const message = shell.strings.form.failed;
    return { page: signUpPage(shell, 503, { ok: false, form, errors: {}, values: {}, message }), shell };
  },
};

const PLAIN_PAGES: OwnStates = {
  full: ({ text, shell }) => ({ page: { ...text, template: null }, shell }),
  empty: ({ text, shell }) => ({ page: { ...text, template: null, sections: [] }, shell }),
  'longest title': ({ text, shell }) => ({
    page: { ...text, template: null, title: `${COMPOUND} ${UNBROKEN}` },
    shell,
  }),
};

/** A menu whose items have short and long titles in turn. */
const createMenu = (count: number): Menu => ({
  items: times(count, (index) => ({
    ...{ title: index % 2 ? NAME : `Item ${index + 1}`, url: `/item-${index}/`, target: '' as const, network: null },
  })),
});

const createMenus = (count: number) => {
  const menu = createMenu(count);
  return { main_menu: menu, social_menu: menu, legals_menu: menu };
};

const SHELL: OwnStates = {
  full: ({ text, shell }) => ({ page: text, shell }),
  'without menus': ({ text, shell }) => ({ page: text, shell: { ...shell, menus: createMenus(0) } }),
  'twelve in each menu': ({ text, shell }) => ({ page: text, shell: { ...shell, menus: createMenus(12) } }),
  'without a logo': ({ text, shell }) => ({ page: text, shell: withTexts(shell, { logo: null }) }),
  longest: ({ text, shell }) => {
    const labels = { ...shell.strings.labels, join: COMPOUND, sound: NAME, motion: NAME, more: NAME, less: NAME };
    const footer = { colophon: `${SENTENCE} ${UNBROKEN}` };
    return { page: text, shell: withTexts(shell, { labels, footer, brand: COMPOUND, logo: null }) };
  },
  'asked for consent': ({ text, shell }) => ({ page: text, shell, tagManager: 'GTM-WORKBENCH' }),
};

/** The site's own pages, by group and state. */
export const OWN_PAGES: Record<string, OwnStates> = {
  'error pages': ERROR_PAGES,
  search: SEARCH,
  'sign-up without script': SIGN_UP_RESPONSES,
  'plain page': PLAIN_PAGES,
  shell: SHELL,
};
