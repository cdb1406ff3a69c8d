import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createDirectSqliteStore } from '@pillion/sign-ups/store/sqlite-store.ts';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import { expect, test } from 'vitest';

const { folder } = undoAfterEach();

test('a command in a folder without sign-ups is refused and creates no file there', async () => {
  const directory = folder();
  const list = () =>
    spawnSync(process.execPath, ['packages/server/src/commands/run.ts', 'sign-ups', 'list'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, DATA_DIR: directory },
    });
  const refused = list();
  expect(refused.stderr).toContain(
    `There are no sign-ups in DATA_DIR ${directory}: set DATA_DIR to the server's folder.`,
  );
  expect([refused.status, readdirSync(directory)]).toEqual([1, []]);
  const store = createDirectSqliteStore(directory);
  await store.probe(0);
  await store.close();
  expect(list().status).toBe(0);
}, 60_000);
