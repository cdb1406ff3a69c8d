import type { Server } from 'node:http';
import { type FakeSite, startFakeSite } from '@pillion/content/testing/fake-site.ts';
import { type Listening, listen } from '@pillion/lib/testing/listen.ts';
import { afterEach, beforeEach } from 'vitest';
import { type AppSetup, type StartedApp, startApp } from './start-app.ts';

/** A line of the log. */
interface Line {
  level: string;
  event: string;
  details: Record<string, unknown>;
}

/** The app of the running test, its WordPress and its log. */
export interface AppOfTest extends StartedApp, Omit<FakeSite, 'stop'> {
  lines: Line[];
  /** Requests a path of the app or a whole address, as Hono does. */
  request: StartedApp['app']['request'];
  /** Starts it with a set-up that differs from that of the file. It must not run. */
  open: (more?: Partial<AppSetup>) => void;
  /** Closes it, and starts it with another set-up on the same WordPress and folder. */
  reopen: (more?: Partial<AppSetup>) => Promise<void>;
}

interface Options {
  /** The set-up of all tests of the file. */
  setup?: Partial<AppSetup>;
  /** Changes the content of WordPress before the app starts. */
  prepare?: (site: FakeSite) => void;
  /** Whether the tests start the app themselves. */
  isClosed?: boolean;
}

/** Starts an app with a fake WordPress before each test of a file, and ends both after it. */
export function startAppForEach({ setup = {}, prepare = () => {}, isClosed = false }: Options = {}): AppOfTest {
  let site: FakeSite;
  let isOpen = false;
  let closeStarted = async () => {};
  const one = {} as AppOfTest;
  one.request = (...given) => one.app.request(...given);
  one.open = (more = {}) => {
    // What an app still logs after its test belongs to no other test.
    const { lines } = one;
    const log = (level: string, event: string, details = {}) => void lines.push({ level, event, details });
    const { close, ...started } = startApp({ ...site, log, ...setup, ...more });
    Object.assign(one, started);
    closeStarted = close;
    isOpen = true;
  };
  one.close = async () => {
    if (isOpen) await closeStarted();
    isOpen = false;
  };
  one.reopen = async (more) => {
    await one.close();
    one.open(more);
  };
  beforeEach(async () => {
    site = await startFakeSite();
    Object.assign(one, { lines: [], wordpress: site.wordpress, directory: site.directory });
    prepare(site);
    if (!isClosed) one.open();
  });
  afterEach(async () => {
    await one.close();
    await site.stop();
  });
  return one;
}

/** Listens before each test of a file, after the hooks above it. @param make Creates the server of the test. */
export function listenForEach(make: () => Server): Listening & { server: Server } {
  const one = {} as Listening & { server: Server };
  beforeEach(async () => {
    const server = make();
    Object.assign(one, { server }, await listen(server));
  });
  afterEach(() => one.close());
  return one;
}
