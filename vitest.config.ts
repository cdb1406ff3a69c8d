import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ownPartsPlugin } from '@pillion/server/vite/own-parts-plugin.mjs';
import { site } from '@pillion/server/vite/site-plugin.mjs';
import { SEED } from '@pillion/tests/fixture.ts';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config';

// Every WordPress of a test is filled with the fixture.
process.env.PILLION_SEED ||= SEED;

/** Commercial plugins, which are not part of the project: their suite runs if a folder with them is given. */
const plugins: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'plugins',
    include: ['tests/plugins/**/*.test.ts'],
    testTimeout: 300_000,
    fileParallelism: false,
  },
};

/** Tests that start the whole server. Almost every source is related to them, so `vitest related --project unit` omits them. */
const SERVED = globSync('packages/server/src/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes('testing/start-app'),
);

export default defineConfig({
  plugins: [react(), site(resolve('tests/site')), ownPartsPlugin(resolve('tests/site'))],
  test: {
    // A state is waited for, so a longer wait costs nothing but where it never comes; vitest's own is a second.
    expect: { poll: { timeout: 15_000 } },
    // Hooks install, start, stop and delete: on a slow disk the thousands of files of nginx's cache took over 10 s.
    hookTimeout: 300_000,
    // Tests wait for servers and disks; without this a machine with two cores runs one file at a time.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{packages,site,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...SERVED],
          testTimeout: 60_000,
        },
      },
      { extends: true, test: { name: 'served', include: SERVED, testTimeout: 60_000 } },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['tests/contract/**/*.test.ts'],
          globalSetup: ['tests/contract/global-setup.ts'],
          testTimeout: 180_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: { name: 'faults', include: ['tests/faults/**/*.test.ts'], testTimeout: 180_000, fileParallelism: false },
      },
      {
        extends: true,
        test: { name: 'webkit', include: ['tests/webkit/**/*.test.ts'], testTimeout: 180_000 },
      },
      {
        extends: true,
        test: {
          name: 'hosts',
          include: ['tests/hosts/**/*.test.ts'],
          testTimeout: 120_000,
          fileParallelism: false,
        },
      },
      ...(process.env.PILLION_PLUGINS ? [plugins] : []),
    ],
  },
});
