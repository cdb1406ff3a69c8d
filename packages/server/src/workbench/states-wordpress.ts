import {
  type FakeWordpress,
  form,
  formPath,
  json,
  MENUS,
  page,
  pagePath,
  ROUTES,
  route,
  STRINGS,
  startFakeWordpress,
} from '@pillion/content/testing/fake-wordpress.ts';
import { readPicture, samplesFrom } from '@pillion/react/workbench/samples.ts';
import { findSectionStates, type SectionStates, type WireSection } from '@pillion/react/workbench/section-states.ts';
import { FORM_STATES } from './form-states.ts';

export interface StatesPage {
  path: string;
  title: string;
  sections: WireSection[];
}

/** The states of one section or of the form, by name. The names are part of the address. */
export interface StatesGroup {
  name: string;
  states: Record<string, StatesPage>;
  /** A page with all states, one below the other; `null` for a section that a page can have only once. */
  all: StatesPage | null;
}

/** Id of the form that sections show if they name none. */
const DEFAULT_FORM = 1;
/** Id of the first form of `FORM_STATES`. */
const FIRST_FORM = 2;

/** Sections of a page in which an editor has split one list of acts. */
const THREE_PASSAGES = ['hero', 'acts', 'statement', 'acts', 'statement', 'acts', 'sign-up', 'wordmark'];

/** A name as it is in addresses. */
export const slug = (name: string) => name.replaceAll(/[ ,]+/g, '-');

/** The address of a page with states. @param prefix Ends with a slash. */
const pathOf = (prefix: string, ...names: string[]) => `${prefix}${names.map(slug).join('/')}/`;

/**
 * Every section next to every other: a page for each section that a page may have more than once, with each of the
 * others before and after it, and itself. A section that a page has only once is where editors put it.
 */
function pairSections(sectionStates: readonly SectionStates[], prefix: string): StatesGroup {
  const name = 'pairs';
  const firstStates = new Map(sectionStates.map(({ name, states }) => [name, Object.values(states)[0] ?? []]));
  const firstStateOf = (section: string) => firstStates.get(section) ?? [];
  const repeatable = sectionStates.filter(({ isSingle }) => !isSingle).map(({ name }) => name);
  const pages = repeatable.map((section): [string, StatesPage] => {
    const others = repeatable.filter((other) => other !== section).flatMap((other) => [other, section]);
    const order = ['hero', section, section, ...others, 'sign-up', section, 'wordmark'];
    const sections = order.flatMap(firstStateOf);
    return [section, { path: pathOf(prefix, name, section), title: `After ${section}`, sections }];
  });
  const title = 'Three passages';
  const passages = { path: pathOf(prefix, name, 'passages'), title, sections: THREE_PASSAGES.flatMap(firstStateOf) };
  return { name, states: { ...Object.fromEntries(pages), passages }, all: null };
}

/** Every section in every state, and every form, as pages below `prefix`. @param url Where the pictures are. */
async function createGroups(prefix: string, url: string): Promise<StatesGroup[]> {
  const sectionStates = await findSectionStates(samplesFrom(url));
  const groups = sectionStates.map(({ name, states, hasSeparatePages }): StatesGroup => {
    const pages = Object.entries(states).map(([state, sections]) => [
      state,
      { path: pathOf(prefix, name, state), title: `${name}: ${state}`, sections },
    ]);
    const all = { path: pathOf(prefix, name), title: `States of ${name}`, sections: Object.values(states).flat() };
    return { name, states: Object.fromEntries(pages), all: hasSeparatePages ? null : all };
  });
  const forms = Object.keys(FORM_STATES).map((name, index) => {
    const section = { type: 'sign-up', kicker: '', heading: name, text: '', picture: null, portrait: null };
    const sections = [{ ...section, form_id: FIRST_FORM + index }];
    return [name, { path: pathOf(prefix, 'form', name), title: `form: ${name}`, sections }];
  });
  return [
    ...groups,
    pairSections(sectionStates, prefix),
    { name: 'form', states: Object.fromEntries(forms), all: null },
  ];
}

export interface StatesWordpress extends FakeWordpress {
  groups: StatesGroup[];
}

/** Starts a WordPress with every state, so that the workbench uses all layers of the site. */
export async function startStatesWordpress(prefix: string): Promise<StatesWordpress> {
  const wordpress = await startFakeWordpress();
  const { plays, url } = wordpress;
  const groups = await createGroups(prefix, url);
  const frontPage: StatesPage = { path: '/', title: 'States', sections: [{ type: 'wordmark' }] };
  const pages = [frontPage, ...groups.flatMap(({ states, all }) => [...(all ? [all] : []), ...Object.values(states)])];
  plays.set('/wp-json/', json({ home: url, url }));
  plays.set(
    ROUTES,
    json(pages.map(({ path, title }, index) => route(index + 1, path, { template: 'landing', title }))),
  );
  for (const [index, { title, sections }] of pages.entries())
    plays.set(pagePath(index + 1), json(page(index + 1, { title: { rendered: title }, sections })));
  const menuItems = groups.flatMap(({ name, all }) =>
    all ? [{ title: name, url: url + all.path, target: '', classes: [] }] : [],
  );
  plays.set(MENUS, json({ main_menu: null, social_menu: null, legals_menu: { items: menuItems } }));
  plays.set(STRINGS, json({ brand: 'STATES' }));
  plays.set(formPath(DEFAULT_FORM), json(form(DEFAULT_FORM)));
  for (const [index, { form: members }] of Object.values(FORM_STATES).entries())
    plays.set(formPath(FIRST_FORM + index), json(form(FIRST_FORM + index, members)));
  plays.set('*', (response, request) => {
    const picture = request.url?.match(/^\/wp-content\/uploads\/\w+\/([\w.-]+)/)?.[1];
    if (picture) response.writeHead(200, { 'content-type': 'image/webp' }).end(readPicture(picture));
    else response.writeHead(404).end();
  });
  return { ...wordpress, groups };
}
