import { join } from 'node:path';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import { expect, test } from 'vitest';
import { connect } from './sqlite-file.ts';

const { folder } = undoAfterEach();

/** https://www.sqlite.org/pragma.html#pragma_synchronous: with WAL, 1 can lose the last commits on a power failure. */
const FULL = 2;

test('invariant 2: every connection of the store waits for the disk on each commit', () => {
  const path = join(folder(), 'sign-ups.sqlite');
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
