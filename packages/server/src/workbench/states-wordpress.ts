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

/** A name in the form that addresses use. */
export const slug = (name: string) => name.replaceAll(/[ ,]+/g, '-');

/** @param prefix Ends with a slash. */
const pathOf = (prefix: string, ...names: string[]) => `${prefix}${names.map(slug).join('/')}/`;

/**
 * Every section next to every other: a page for each section that a page may have more than once, with each of the
 * others before and after it, and itself. A section that a page has only once is where editors put it.
 */
function pairsOf(found: readonly SectionStates[], prefix: string): StatesGroup {
  const name = 'pairs';
  const full = new Map(found.map(({ name, states }) => [name, Object.values(states)[0] ?? []]));
  const at = (section: string) => full.get(section) ?? [];
  const many = found.filter(({ isSingle }) => !isSingle).map(({ name }) => name);
  const pages = many.map((section): [string, StatesPage] => {
    const others = many.filter((other) => other !== section).flatMap((other) => [other, section]);
    const order = ['hero', section, section, ...others, 'sign-up', section, 'wordmark'];
    return [section, { path: pathOf(prefix, name, section), title: `After ${section}`, sections: order.flatMap(at) }];
  });
  const title = 'Three passages';
  const passages = { path: pathOf(prefix, name, 'passages'), title, sections: THREE_PASSAGES.flatMap(at) };
  return { name, states: { ...Object.fromEntries(pages), passages }, all: null };
}

/** Editors may split one list of acts. */
const THREE_PASSAGES = ['hero', 'acts', 'statement', 'acts', 'statement', 'acts', 'sign-up', 'wordmark'];

/** Every section in every state, and every form, as pages below `prefix`. */
async function groupsAt(prefix: string, url: string): Promise<StatesGroup[]> {
  const found = await findSectionStates(samplesFrom(url));
  const groups = found.map(({ name, states, hasSeparatePages }): StatesGroup => {
    const pages = Object.entries(states).map(([state, sections]) => [
      state,
      { path: pathOf(prefix, name, state), title: `${name}: ${state}`, sections },
    ]);
    const all = { path: pathOf(prefix, name), title: `States of ${name}`, sections: Object.values(states).flat() };
    return { name, states: Object.fromEntries(pages), all: hasSeparatePages ? null : all };
  });
  const forms = Object.keys(FORM_STATES).map((name, at) => {
    const section = { type: 'sign-up', kicker: '', heading: name, text: '', picture: null, portrait: null };
    const sections = [{ ...section, form_id: FIRST_FORM + at }];
    return [name, { path: pathOf(prefix, 'form', name), title: `form: ${name}`, sections }];
  });
  return [...groups, pairsOf(found, prefix), { name: 'form', states: Object.fromEntries(forms), all: null }];
}

/** The site's form, which sections without a form show. */
const OWN_FORM = 1;
const FIRST_FORM = 2;

export interface StatesWordpress extends FakeWordpress {
  groups: StatesGroup[];
}

/** Starts a WordPress with every state, so that the workbench uses all layers of the site. */
export async function startStatesWordpress(prefix: string): Promise<StatesWordpress> {
  const wordpress = await startFakeWordpress();
  const { plays, url } = wordpress;
  const groups = await groupsAt(prefix, url);
  const front: StatesPage = { path: '/', title: 'States', sections: [{ type: 'wordmark' }] };
  const pages = [front, ...groups.flatMap(({ states, all }) => [...(all ? [all] : []), ...Object.values(states)])];
  plays.set('/wp-json/', json({ home: url, url }));
  plays.set(ROUTES, json(pages.map(({ path, title }, at) => route(at + 1, path, { template: 'landing', title }))));
  for (const [at, { title, sections }] of pages.entries())
    plays.set(pagePath(at + 1), json(page(at + 1, { title: { rendered: title }, sections })));
  const items = groups.flatMap(({ name, all }) =>
    all ? [{ title: name, url: url + all.path, target: '', classes: [] }] : [],
  );
  plays.set(MENUS, json({ main_menu: null, social_menu: null, legals_menu: { items } }));
  plays.set(STRINGS, json({ brand: 'STATES' }));
  plays.set(formPath(OWN_FORM), json(form(OWN_FORM)));
  for (const [at, { form: more }] of Object.values(FORM_STATES).entries())
    plays.set(formPath(FIRST_FORM + at), json(form(FIRST_FORM + at, more)));
  plays.set('*', (response, request) => {
    const name = request.url?.match(/^\/wp-content\/uploads\/\w+\/([\w.-]+)/)?.[1];
    if (name) response.writeHead(200, { 'content-type': 'image/webp' }).end(readPicture(name));
    else response.writeHead(404).end();
  });
  return { ...wordpress, groups };
}
