import type { Page, PreviewBoot, ShellContent } from '@pillion/content/types.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PreviewBar } from './bar.tsx';

const bar = (differently: Partial<PreviewBoot>) => {
  const preview: PreviewBoot = {
    post: 7,
    kind: 'open',
    state: { status: 'draft', saved: new Date().toISOString(), clock: '14:02', date: null, kind: 'saved', title: 'T' },
    live: null,
    drafts: {},
    blocks: [],
    ...differently,
  };
  return renderToStaticMarkup(<PreviewBar preview={preview} page={{} as Page} shell={{} as ShellContent} />);
};

test('a page that visitors see is led to, and left for', () => {
  const html = bar({ live: '/about/' });
  expect(html).toContain('<a href="/about/">');
  expect(html).toMatch(/<form [^>]*action="\/preview\/leave" method="post"><input [^>]*name="to" value="\/about\/"\/>/);
});

test('a page that nobody has seen yet has no link, and is left for the front page', () => {
  const html = bar({});
  expect(html).not.toContain('<a ');
  expect(html).toContain('name="to" value="/"');
});

test('the bar is a region with a name', () => {
  expect(bar({})).toMatch(/^<section [^>]*aria-label="Preview"/);
});

test('the pane beside the editor has no bar', () => {
  expect(bar({ kind: 'pane' })).toBe('');
});
