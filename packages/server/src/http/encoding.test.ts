import { expect, test } from 'vitest';
import { bestEncoding } from './encoding.ts';

test('the usual header of browsers gets Brotli', () => {
  expect(bestEncoding('gzip, deflate, br, zstd')).toBe('br');
});

test('a client gets the encoding that it prefers, and never one that it excludes', () => {
  expect(bestEncoding('br;q=0.5, gzip')).toBe('gzip');
  expect(bestEncoding('br;q=0, gzip;q=0.1')).toBe('gzip');
  expect(bestEncoding('br;q=0')).toBe('identity');
  expect(bestEncoding('*')).toBe('br');
  expect(bestEncoding('br;q=0, *')).toBe('gzip');
  expect(bestEncoding('')).toBe('identity');
  expect(bestEncoding('xbr, notgzip')).toBe('identity');
});
