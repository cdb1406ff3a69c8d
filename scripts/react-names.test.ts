import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leaveOutUnusedNames } from './react-names.mjs';

const react = readFileSync('node_modules/react-dom/cjs/react-dom-client.production.js', 'utf8');
/** What stands between two places of `code`. */
const between = (code: string, from: string, to: string) => code.split(from)[1]?.split(to)[0] ?? '';
const attributes = (code: string) => between(code, 'aliases = new Map([', ']),\n');
const styles = (code: string) => between(code, 'unitlessNumbers = new Set(\n  "', '"');

test('what a source names keeps its row, all other rows go, and nothing but the tables changes', () => {
  const source = '<label htmlFor={id} /> <path strokeWidth="2" style={{ opacity: 0 }} /> fillOpacityOfOurs';
  const code = leaveOutUnusedNames(react, source);
  expect(attributes(code)).toBe('["htmlFor", "for"], ["strokeWidth", "stroke-width"]');
  expect(styles(code)).toBe('opacity strokeWidth');
  expect(code.replace(attributes(code), attributes(react)).replace(styles(code), styles(react))).toBe(react);
});

for (const table of ['aliases = new Map', 'unitlessNumbers = new Set'])
  test(`a React that writes ${table} in another way stops the build`, () => {
    expect(() => leaveOutUnusedNames(react.replace(table, 'names = new List'), '')).toThrow(/table/);
  });
