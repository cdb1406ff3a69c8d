import { signed, tokenOf, WEBHOOK_SECRET } from '@pillion/content/testing/preview.ts';
import { expect, test } from 'vitest';
import { createPreviewTokens } from './tokens.ts';

const NOW = 1_800_000_000;
const tokensAt = (seconds: number) => createPreviewTokens(WEBHOOK_SECRET, () => (NOW + seconds) * 1000);
const token = (more: object = {}) => tokenOf({ o: NOW + 600, e: NOW + 28_800, ...more });

test('a token of WordPress contains kind, post, user and times', () => {
  const text = token();
  expect(tokensAt(0).readToOpen(text)).toEqual({
    kind: 'open',
    post: 12,
    user: 1,
    openUntil: NOW + 600,
    until: NOW + 28_800,
    text,
  });
});

test('a token opens a preview for ten minutes and shows it for eight hours', () => {
  expect(tokensAt(599).readToOpen(token())).toMatchObject({ post: 12 });
  expect(tokensAt(600).readToOpen(token())).toBe('expired');
  expect(tokensAt(28_799).read(token())).toMatchObject({ post: 12 });
  expect(tokensAt(28_800).read(token())).toBe('expired');
});

const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64url');
const withSignature = (encoded: string) => `${encoded}.${signed(encoded)}`;

test.each([
  ['an empty string', ''],
  ['text', 'no token'],
  [
    'a token of another secret',
    tokenOf({}, `whsec_${Buffer.from('another secret of both its sides').toString('base64')}`),
  ],
  [
    'a token with a changed post',
    token().replace(/^[^.]+/, encode({ k: 'open', p: 13, u: 1, l: '', o: NOW + 600, e: NOW + 28_800 })),
  ],
  ['a truncated signature', token().slice(0, -1)],
  [
    'the signature of a cookie',
    `${encode({ k: 'open', p: 12 })}.${signed(encode({ k: 'open', p: 12 }), 'pillion-preview-opened.')}`,
  ],
  ['a signed unknown kind', withSignature(encode({ k: 'all', p: 12, o: NOW + 600, e: NOW + 600 }))],
  ['a signed invalid post', withSignature(encode({ k: 'open', p: -1, o: NOW + 600, e: NOW + 600 }))],
  ['a signed text that is not JSON', withSignature(Buffer.from('{').toString('base64url'))],
  ['a signed token that is too long', withSignature(encode({ k: 'open', p: 12, l: 'x'.repeat(1000), o: NOW, e: NOW }))],
])('%s is rejected as a token', (_, text) => {
  expect(tokensAt(0).readToOpen(text)).toBe('wrong');
  expect(tokensAt(0).read(text)).toBe('wrong');
});

test('a cookie is valid only with the site’s second signature', () => {
  const opened = tokensAt(0).read(token());
  if (typeof opened === 'string') throw new Error(opened);
  expect(tokensAt(599).secondsLeft(opened)).toBe(28_201);
  const value = tokensAt(0).sealOpened(opened);
  expect(tokensAt(700).readOpened(value)).toEqual(opened);
  expect(tokensAt(28_800).readOpened(value)).toBe('expired');
  for (const broken of [
    '',
    '~',
    token(),
    `${token()}~`,
    `${token()}~${signed(token())}`,
    `${value}~`,
    value.slice(1),
    `${value}x`,
  ])
    expect(tokensAt(0).readOpened(broken), broken).toBe('wrong');
});
