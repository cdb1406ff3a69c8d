import { rmSync } from 'node:fs';
import { afterEach } from 'vitest';
import { createFolder } from './site.ts';

export interface Undo {
  /** Runs after the test that calls it, the latest first, whether the test passes or not. */
  undo: (work: () => unknown) => void;
  /** Starts something for the test, which is killed or stopped after it. */
  forTest: <T extends Stoppable>(starting: Promise<T>) => Promise<T>;
  /** A folder for the test, removed after it. */
  folder: () => string;
}

interface Stoppable {
  stop: (signal?: NodeJS.Signals) => unknown;
}

/**
 * Undoes what each test of a file has started and made. Called once, at the top of the file.
 * @param timeoutMs Limit for all of it after one test, in milliseconds. Default: vitest's `hookTimeout`.
 */
export function undoAfterEach(timeoutMs?: number): Undo {
  const works: (() => unknown)[] = [];
  afterEach(async () => {
    for (const work of works.splice(0).reverse()) await work();
  }, timeoutMs);
  const undo = (work: () => unknown) => void works.push(work);
  return {
    undo,
    async forTest(starting) {
      const started = await starting;
      undo(() => started.stop('SIGKILL'));
      return started;
    },
    folder() {
      const made = createFolder();
      undo(() => rmSync(made, { recursive: true, force: true }));
      return made;
    },
  };
}
