import { expect, test } from 'vitest';
import { encodingFor } from './encoding.ts';

test('a browser’s usual header gets Brotli', () => {
  expect(encodingFor('gzip, deflate, br, zstd')).toBe('br');
});

test('a client that weighs codings gets the one it prefers, and never one it refuses', () => {
  expect(encodingFor('br;q=0.5, gzip')).toBe('gzip');
  expect(encodingFor('br;q=0, gzip;q=0.1')).toBe('gzip');
  expect(encodingFor('br;q=0')).toBe('identity');
  expect(encodingFor('*')).toBe('br');
  expect(encodingFor('br;q=0, *')).toBe('gzip');
  expect(encodingFor('')).toBe('identity');
  expect(encodingFor('xbr, notgzip')).toBe('identity');
});
