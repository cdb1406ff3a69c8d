import { expect, test } from 'vitest';
import { encodingFor } from './encoding.ts';

test('the usual header of browsers gets Brotli', () => {
  expect(encodingFor('gzip, deflate, br, zstd')).toBe('br');
});

test('a client gets the encoding that it prefers, and never one that it excludes', () => {
  expect(encodingFor('br;q=0.5, gzip')).toBe('gzip');
  expect(encodingFor('br;q=0, gzip;q=0.1')).toBe('gzip');
  expect(encodingFor('br;q=0')).toBe('identity');
  expect(encodingFor('*')).toBe('br');
  expect(encodingFor('br;q=0, *')).toBe('gzip');
  expect(encodingFor('')).toBe('identity');
  expect(encodingFor('xbr, notgzip')).toBe('identity');
});
