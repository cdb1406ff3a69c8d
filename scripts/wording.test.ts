import { expect, test } from 'vitest';
import { findProblems } from './wording.mjs';

test('phrases to avoid are reported in docs, comments and test titles, with line and alternative', () => {
  expect(findProblems('a.md', 'Good.\n\nA cache of its own.')).toEqual([
    'a.md:3: “of its own”: write its own …, a separate …',
  ]);
  expect(findProblems('a.ts', "const beside = 'beside';\n/**\n * Waits upon it. */")).toEqual([
    'a.ts:3: “upon”: write again, on, in it, so, next to, 0',
  ]);
  expect(findProblems('a.php', '<?php // What it says is shown.')).toEqual([
    'a.php:1: “What it says is”: write the thing itself first: “The cache is …”',
  ]);
  expect(findProblems('a.test.ts', "test('the editor is told', () => {});")).toEqual([
    'a.test.ts:1: “is told”: write is notified, requested, reported, redirected, stored, delayed',
  ]);
});
