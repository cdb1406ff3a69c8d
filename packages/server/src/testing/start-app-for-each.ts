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
  /** Starts the app with a set-up that differs from that of the file. It must be closed. */
  open: (more?: Partial<AppSetup>) => void;
  /** Closes the app, and starts it with another set-up on the same WordPress and folder. */
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
  const app = {} as AppOfTest;
  app.request = (...given) => app.app.request(...given);
  app.open = (more = {}) => {
    // Lines that an app logs after its test must not reach the list of the next test.
    const { lines } = app;
    const log = (level: string, event: string, details = {}) => void lines.push({ level, event, details });
    const { close, ...started } = startApp({ ...site, log, ...setup, ...more });
    Object.assign(app, started);
    closeStarted = close;
    isOpen = true;
  };
  app.close = async () => {
    if (isOpen) await closeStarted();
    isOpen = false;
  };
  app.reopen = async (more) => {
    await app.close();
    app.open(more);
  };
  beforeEach(async () => {
    site = await startFakeSite();
    Object.assign(app, { lines: [], wordpress: site.wordpress, directory: site.directory });
    prepare(site);
    if (!isClosed) app.open();
  });
  afterEach(async () => {
    await app.close();
    await site.stop();
  });
  return app;
}

/** Listens before each test of a file, after the hooks above it. @param make Creates the server of the test. */
export function listenForEach(make: () => Server): Listening & { server: Server } {
  const listening = {} as Listening & { server: Server };
  beforeEach(async () => {
    const server = make();
    Object.assign(listening, { server }, await listen(server));
  });
  afterEach(() => listening.close());
  return listening;
}
