import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
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
} from '../../server/content/testing/fake-wordpress.ts';
import { type RunningSite, startSite } from './site.ts';

const CONTENT = join(import.meta.dirname, '../../content');

/** Words that layouts break on: a compound, a name, and one that no language would hyphenate. */
const COMPOUND = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk';
const NAME = 'Wolfeschlegelsteinhausenbergerdorff';
const UNBROKEN = 'm'.repeat(60);
const SENTENCE =
  'The road leaves the water at the third lamp and does not come back to it until the other side, forty-eight kilometres on.';

const LINES =
  '<svg viewBox="0 0 16 10"><path d="M2 9C5 7 3 5 7 5s5-3 7-4" fill="none" stroke="#fff" stroke-width=".08"/><circle cx="14" cy="1" r=".15"/></svg>';

interface WirePicture {
  url: string;
  sizes: { url: string }[];
}

/** Pictures of the bundled demo by name, as a WordPress at `home` would answer them. */
function picturesAt(home: string): (name: string) => WirePicture {
  const known = new Map<string, WirePicture>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const picture = value as WirePicture;
    if (Array.isArray(picture.sizes)) known.set(picture.url.replace(/^\/media\/|\.\w+$/g, ''), picture);
    for (const member of Object.values(value)) visit(member);
  };
  for (const { id } of JSON.parse(readFileSync(join(CONTENT, 'en/routes.json'), 'utf8')) as { id: number }[])
    visit(JSON.parse(readFileSync(join(CONTENT, `en/pages/${id}.json`), 'utf8')));
  const there = (address: string) => address.replace('/media/', `${home}/wp-content/uploads/`);
  return (name) => {
    const picture = known.get(name);
    if (!picture) throw new Error(`The bundled demo has no picture ${name}: ${[...known.keys()].join(', ')}`);
    const sizes = picture.sizes.map((size) => ({ ...size, url: there(size.url) }));
    return { ...picture, url: there(picture.url), sizes };
  };
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const facts = (count: number) => times(count, (at) => ({ label: `Fact ${at + 1}`, value: `${at + 1}2 km` }));
const LONG_FACTS = [
  { label: COMPOUND, value: UNBROKEN },
  { label: 'Named after', value: NAME },
];

/** Every section in every state an editor can leave it in, in the shapes WordPress answers, by the page they stand on. */
function statesWith(picture: (name: string) => WirePicture): Record<string, object[]> {
  const gallery = (count: number, names = ['gold', 'night-road', 'ember', 'wheel', 'hero', 'night']) =>
    times(count, (at) => ({
      picture: picture(names[at % names.length] as string),
      title: `Stop ${at + 1}`,
      text: at % 3 === 1 ? SENTENCE : `km ${at * 8}`,
    }));
  const question = (at: number) => ({
    question: `Question ${at + 1}: where does the road begin?`,
    answer: at % 2 ? 'At the water.' : `${SENTENCE}<br><br>A second <strong>paragraph</strong>,<br>in two lines.`,
  });
  const night = { picture: picture('night-road'), portrait: picture('night-road-portrait') };
  return {
    statement: [
      {
        type: 'statement',
        kicker: 'With a drawing',
        heading: `${SENTENCE} <mark>It <em>waits</em>.</mark>`,
        facts: facts(3),
        picture: picture('route-map'),
        drawing: LINES,
      },
      { type: 'statement', kicker: '', heading: 'Only a heading', facts: [], picture: null },
      { type: 'statement', kicker: 'No heading', heading: '', facts: facts(1), picture: picture('route-map') },
      {
        ...{ type: 'statement', kicker: UNBROKEN, heading: `${COMPOUND} <em>${NAME}</em> ${UNBROKEN}` },
        ...{ facts: LONG_FACTS, picture: picture('route-map'), drawing: LINES },
      },
      { type: 'statement', kicker: 'Twelve facts', heading: 'No picture', facts: facts(12), picture: null },
      { type: 'statement', kicker: 'Only lines', heading: 'No picture', facts: [], picture: null, drawing: LINES },
    ],
    feature: [
      {
        ...{ type: 'feature', kicker: 'All of it', heading: 'Nothing to see <em>but this</em>', text: SENTENCE },
        ...{ figures: facts(3), picture: picture('wheel'), detail: picture('lamp') },
      },
      {
        ...{ type: 'feature', kicker: 'No pictures', heading: 'Words alone', text: SENTENCE },
        ...{ figures: facts(3), picture: null, detail: null },
      },
      {
        ...{ type: 'feature', kicker: '', heading: 'One picture', text: '', figures: [] },
        ...{ picture: picture('gold'), detail: null },
      },
      {
        ...{ type: 'feature', kicker: COMPOUND, heading: `${COMPOUND} <em>${UNBROKEN}</em>`, text: UNBROKEN },
        ...{ figures: LONG_FACTS, picture: picture('hero'), detail: picture('hero') },
      },
      {
        ...{ type: 'feature', kicker: 'Only a detail', heading: 'Twelve figures', text: '', figures: facts(12) },
        ...{ picture: null, detail: picture('lamp') },
      },
    ],
    gallery: [
      { type: 'gallery', kicker: 'Six', heading: 'Stops on <em>the road</em>', items: gallery(6) },
      { type: 'gallery', kicker: 'One', heading: 'A wide picture', items: gallery(1, ['night-road']) },
      { type: 'gallery', kicker: 'Two', heading: '', items: gallery(2, ['night-road', 'hero-portrait']) },
      { type: 'gallery', kicker: '', heading: 'Twelve, and one left out', items: [{ title: 'x' }, ...gallery(11)] },
      {
        ...{ type: 'gallery', kicker: COMPOUND, heading: `${COMPOUND} ${UNBROKEN}` },
        items: gallery(3).map((item, at) => ({ ...item, title: at ? UNBROKEN : COMPOUND, text: at ? NAME : UNBROKEN })),
      },
      { type: 'gallery', kicker: '', heading: '', items: gallery(2).map((item) => ({ ...item, title: '', text: '' })) },
      { type: 'gallery', kicker: '', heading: '', items: [{ ...gallery(1)[0], title: '', text: '' }] },
      { type: 'gallery', kicker: 'None', heading: 'Not shown', items: [] },
    ],
    quote: [
      {
        ...{
          type: 'quote',
          kicker: 'A sign',
          quote: 'No light<br>beyond <em>this point</em>',
          source: 'Road sign, km 31',
        },
        picture: picture('ember'),
      },
      { type: 'quote', kicker: '', quote: 'Slow.', source: '', picture: null },
      { type: 'quote', kicker: 'Long', quote: `${SENTENCE} ${SENTENCE}`, source: SENTENCE, picture: picture('hero') },
      { type: 'quote', kicker: COMPOUND, quote: `${COMPOUND} <em>${UNBROKEN}</em>`, source: UNBROKEN, picture: null },
      { type: 'quote', kicker: 'Empty', quote: '', source: 'Nobody', picture: picture('gold') },
    ],
    questions: [
      { type: 'questions', kicker: 'Asked', heading: 'What <em>riders</em> ask', items: times(4, question) },
      { type: 'questions', kicker: '', heading: '', items: times(1, question) },
      { type: 'questions', kicker: 'Twelve', heading: 'Twelve of them', items: times(12, question) },
      {
        ...{ type: 'questions', kicker: UNBROKEN, heading: COMPOUND },
        items: [
          { question: `${COMPOUND} ${UNBROKEN}?`, answer: `${UNBROKEN} ${COMPOUND}` },
          { question: '', answer: 'Nobody asked.' },
          { question: 'Unanswered?', answer: '' },
        ],
      },
      { type: 'questions', kicker: 'None', heading: 'Not shown', items: [] },
    ],
    'sign-up': [
      {
        ...{ type: 'sign-up', kicker: 'The list', heading: 'Join <em>the ride</em>', text: SENTENCE, form_id: 0 },
        ...night,
      },
      { type: 'sign-up', kicker: '', heading: '', text: '', picture: null, portrait: null, form_id: 0 },
      {
        ...{ type: 'sign-up', kicker: COMPOUND, heading: `${NAME} <em>${UNBROKEN}</em>`, text: UNBROKEN, form_id: 0 },
        ...{ picture: picture('night-road'), portrait: null },
      },
      { type: 'wordmark' },
    ],
    text: [
      { type: 'rich-text', html: `<p>${SENTENCE}</p><h2>${COMPOUND}</h2><p>${UNBROKEN}</p>` },
      { type: 'statement', kicker: 'Between', heading: 'A section', facts: [], picture: null },
      { type: 'rich-text', html: `<ul><li>${NAME}</li><li>One</li></ul>` },
    ],
  };
}

/** Path of the page that holds a section in all its states. */
export const statePath = (name: string) => `/states/${name}/`;

export interface StatesSite extends RunningSite {
  /** Names of the pages. */
  names: string[];
}

/** Starts the built site on a WordPress that holds every section in every state: what it shows went through all layers. */
export async function startStatesSite(env: Record<string, string> = {}): Promise<StatesSite> {
  const wordpress = await startFakeWordpress();
  const { plays, url } = wordpress;
  const states = Object.entries(statesWith(picturesAt(url)));
  const path = (name: string) => statePath(name);
  plays.set('/wp-json/', json({ home: url, url }));
  plays.set(
    ROUTES,
    json([
      route(1, '/', { template: 'landing' }),
      ...states.map(([name], at) => route(at + 2, path(name), { template: 'landing', title: `States of ${name}` })),
    ]),
  );
  plays.set(pagePath(1), json(page(1, { sections: [{ type: 'wordmark' }] })));
  for (const [at, [name, sections]] of states.entries())
    plays.set(pagePath(at + 2), json(page(at + 2, { title: { rendered: `States of ${name}` }, sections })));
  const items = states.map(([name]) => ({ title: name, url: url + path(name), target: '', classes: [] }));
  plays.set(MENUS, json({ main_menu: null, social_menu: null, legals_menu: { items } }));
  plays.set(STRINGS, json({ brand: 'STATES' }));
  plays.set(formPath(1), json(form(1)));
  plays.set('*', (response, request) => {
    const name = request.url?.match(/^\/wp-content\/uploads\/([\w.-]+)/)?.[1];
    if (name) response.writeHead(200, { 'content-type': 'image/webp' }).end(readFileSync(join(CONTENT, 'media', name)));
    else response.writeHead(404).end();
  });
  const site = await startSite({
    ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: 'ck_states', CONTENT_SECRET: 'cs_states' },
    ...env,
  });
  return {
    ...site,
    names: states.map(([name]) => name),
    async stop(signal) {
      await site.stop(signal);
      await wordpress.stop();
    },
  };
}
