import type { Page, ShellContent } from '@pillion/content/types.ts';
import { DEFAULT_STRINGS } from '@pillion/content/wordpress/default-strings.ts';
import { createEngines } from '@pillion/motion/engines.ts';
import { createMixer } from '@pillion/motion/sound/mixer.ts';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Pillion } from './page.tsx';
import { createSite } from './site/site.ts';
import type { Template } from './templates/template.ts';

const EMPTY = { items: [] };
const shell: ShellContent = {
  lang: 'en',
  dir: 'ltr',
  home: '/',
  languages: [{ tag: 'en', name: 'English', dir: 'ltr', home: '/' }],
  menus: { main_menu: EMPTY, social_menu: EMPTY, legals_menu: EMPTY },
  strings: DEFAULT_STRINGS,
};
const page = {
  ...{ path: '/trip/', status: 200, lang: 'en', title: 'Trip', template: 'trip', theme: 'dark', sections: [] },
  ...{ meta: { title: 'Trip' }, outcome: null, search: null },
} as unknown as Page;

const Component = () => <p>The page</p>;

const htmlOf = (template: Pick<Template, 'Component' | 'getLayout'>, shown = page) => {
  const site = createSite({ page: shown, shell, template });
  return renderToString(<Pillion site={site} engines={createEngines(createMixer)} asksConsent={false} />);
};

const mainOf = (template: Pick<Template, 'Component' | 'getLayout'>) =>
  /<main[^>]*>(.*)<\/main>/s.exec(htmlOf(template))?.[1];

test('R2: a template’s getLayout wraps the page in a layout inside the shell', () => {
  const getLayout: Template['getLayout'] = (children, { page: shown }) => <div title={shown.title}>{children}</div>;
  expect(mainOf({ Component, getLayout })).toBe('<div title="Trip"><p>The page</p></div>');
});

test('R2: a template without getLayout is rendered directly in the shell', () => {
  expect(mainOf({ Component })).toBe('<p>The page</p>');
});

test('header and toggles are dark on a page with a hero and have no tone on other pages', () => {
  const sections: Page['sections'] = [{ type: 'hero', heading: [], picture: null, portrait: null, film: null }];
  const tonesOf = (shown: Page) =>
    [/<header[^>]*>/, /<div[^>]* data-toggles[^>]*>/].map(
      (tag) => / data-tone="(\w+)"/.exec(tag.exec(htmlOf({ Component }, shown))?.[0] ?? '')?.[1],
    );
  expect(tonesOf({ ...page, sections })).toEqual(['dark', 'dark']);
  expect(tonesOf(page)).toEqual([undefined, undefined]);
});
