import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from './sqlite-file.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pillion-sqlite-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** https://www.sqlite.org/pragma.html#pragma_synchronous: with WAL, 1 can lose the last commits on a power failure. */
const FULL = 2;

test('invariant 2: every connection of the store waits for the disk on each commit', () => {
  const path = join(directory, 'sign-ups.sqlite');
  for (const attempt of ['made', 'found']) {
    const { database } = connect(path);
    const settings = {
      ...database.prepare('PRAGMA synchronous').get(),
      ...database.prepare('PRAGMA journal_mode').get(),
    };
    database.close();
    expect(settings, attempt).toEqual({ synchronous: FULL, journal_mode: 'wal' });
  }
});
