import { rmSync } from 'node:fs';
import { afterEach } from 'vitest';
import { createFolder } from './site.ts';

interface Stoppable {
  stop: (signal?: NodeJS.Signals) => unknown;
}

/**
 * Undoes what each test of a file has started and made. Called once, at the top of the file.
 * @param timeoutMs Limit for all of it after one test, in milliseconds. Default: vitest's `hookTimeout`.
 */
export function undoAfterEach(timeoutMs?: number) {
  const works: (() => unknown)[] = [];
  afterEach(async () => {
    for (const work of works.splice(0).reverse()) await work();
  }, timeoutMs);
  /** Runs `work` after the test that calls it, the latest first, whether the test passes or not. */
  const undo = (work: () => unknown) => void works.push(work);
  return {
    undo,
    /** Starts something for the test, which is killed or stopped after it. */
    async forTest<T extends Stoppable>(starting: Promise<T>): Promise<T> {
      const started = await starting;
      undo(() => started.stop('SIGKILL'));
      return started;
    },
    /** @returns A folder for the test, removed after it. */
    folder() {
      const made = createFolder();
      undo(() => rmSync(made, { recursive: true, force: true }));
      return made;
    },
  };
}
