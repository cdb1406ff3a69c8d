import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A port nobody listens on at the moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'pillion-'));

export interface RunningSite {
  url: string;
  pid: number;
  dataDirectory: string;
  /** Everything the server has printed so far. */
  output(): string;
  /** Ends the server; its data stays where it was given and goes where it was made here. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const ENVIRONMENT = /^(?:PATH|HOME|LANG|TMPDIR|CI)$/;

/** What a server inherits: nothing of ours that the shell may have set. */
const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name)));

const address = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { address: string }).address));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened`)));
  });

/**
 * Starts the built site as a process of its own, on a free port.
 * @param env On top of a clean environment; `DATA_DIR` keeps its data beyond the stop.
 * @throws With what the server printed, when it does not come up.
 */
export async function startSite(env: Record<string, string> = {}): Promise<RunningSite> {
  const dataDirectory = env.DATA_DIR ?? temporaryFolder();
  const port = env.PORT ?? String(await freePort());
  const child = spawn(process.execPath, ['build/server/main.js'], {
    env: { ...cleanEnvironment(), NODE_ENV: 'production', ...env, PORT: port, DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (printed += data));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await address(child).catch((error: Error) => {
    throw new Error(`${error.message}\n${printed}`);
  });
  return {
    url,
    pid: child.pid ?? 0,
    dataDirectory,
    output: () => printed,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
      if (!env.DATA_DIR) rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
