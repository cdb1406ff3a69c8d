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

test('the bar links to the live page, and leaving the preview goes there', () => {
  const html = bar({ live: '/about/' });
  expect(html).toContain('<a href="/about/">');
  expect(html).toMatch(/<form [^>]*action="\/preview\/leave" method="post"><input [^>]*name="to" value="\/about\/"\/>/);
});

test('an unpublished page has no link, and leaving the preview goes to the front page', () => {
  const html = bar({});
  expect(html).not.toContain('<a ');
  expect(html).toContain('name="to" value="/"');
});

test('the bar is a region with a name', () => {
  expect(bar({})).toMatch(/^<section [^>]*aria-label="Preview"/);
});

test('the pane next to the editor has no bar', () => {
  expect(bar({ kind: 'pane' })).toBe('');
});
