import type { ShellContent } from '@pillion/content/types.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createShellRefresh } from './shell-refresh.ts';

const shellOf = (brand: string, lang = 'en') => ({ lang, strings: { brand } }) as ShellContent;

let asked: string[];
let answer: () => Response;
let clock: number;
let shown: ShellContent;
let shows: number;

const answering = (shell: ShellContent, build = 'b1') =>
  new Response(JSON.stringify(shell), { headers: { 'pillion-build': build } });

function open() {
  const show = (shell: ShellContent) => {
    shown = shell;
    shows += 1;
  };
  return createShellRefresh({ build: 'b1', shell: () => shown, show, now: () => clock });
}

beforeEach(() => {
  asked = [];
  clock = 0;
  shows = 0;
  shown = shellOf('Old');
  answer = () => answering(shellOf('New'));
  vi.stubGlobal('document', { documentElement: { dataset: { env: 'staging' } } });
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

test('R23: menus and texts are requested again after 60 s', async () => {
  const refresh = open();
  clock = 59_999;
  await refresh('en');
  expect(asked).toEqual([]);
  clock = 60_000;
  await refresh('en');
  expect(asked).toEqual(['/api/shell?lang=en']);
  expect(shown.strings.brand).toBe('New');
  clock = 119_999;
  await refresh('en');
  expect(asked).toHaveLength(1);
});

test('R23, R28: a page in another language fetches the shell in its language at once', async () => {
  answer = () => answering(shellOf('Neu', 'de'));
  await open()('de');
  expect(asked).toEqual(['/api/shell?lang=de']);
  expect(shown.lang).toBe('de');
});

test('R23: without a response the shell stays unchanged, and the next call requests it again', async () => {
  const refresh = open();
  clock = 60_000;
  answer = () => new Response('gone', { status: 500 });
  await refresh('en');
  answer = () => Response.error();
  await refresh('en');
  answer = () => answering(shellOf('Other shape'), 'b2');
  await refresh('en');
  expect(asked).toHaveLength(3);
  expect(shown.strings.brand).toBe('Old');
});

test('R23: a shell that cannot be shown yet is shown on a later call', async () => {
  let isReady = false;
  const show = async (shell: ShellContent) => {
    if (!isReady) throw new Error('a part of the page has not come');
    shown = shell;
  };
  const refresh = createShellRefresh({ build: 'b1', shell: () => shown, show, now: () => clock });
  clock = 60_000;
  await refresh('en');
  isReady = true;
  await refresh('en');
  expect(shown.strings.brand).toBe('New');
});

test('R23: an unchanged shell is not shown again, and two calls at once send one request', async () => {
  const refresh = open();
  clock = 60_000;
  answer = () => answering(shellOf('Old'));
  await Promise.all([refresh('en'), refresh('en')]);
  expect(asked).toHaveLength(1);
  expect(shows).toBe(0);
});
