import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { consoleLog as log } from '@pillion/lib/log.ts';
import { CommandError, runCommand } from '@pillion/sign-ups/command-line.ts';
import { DatabaseError } from '@pillion/sign-ups/database/connections.ts';
import { createCipher } from '@pillion/sign-ups/outbox/cipher.ts';
import { createOutbox } from '@pillion/sign-ups/outbox/outbox.ts';
import { openStore, openStoreForCommands } from '@pillion/sign-ups/store/open-store.ts';
import { FILE } from '@pillion/sign-ups/store/sqlite-store.ts';
import type { Config } from '../config/config.ts';
import { loadConfig, secretKeyFor } from '../config/environment.ts';
import { createSignUpService, knownDestinations } from '../wiring/sign-ups.ts';

/** Timeout of the current deliveries at a stop, in milliseconds. Less than the 15 s that a supervisor waits. */
const STOP_TIMEOUT_MS = 6_000;

/** Delivers sign-ups until the process gets a signal to stop. */
async function runWorker(config: Config, secretKey: string): Promise<void> {
  const { content, formWebhook, destination } = config;
  const target = formWebhook?.url ?? (content.source === 'wordpress' ? content.url : destination?.url);
  if (!target)
    throw new CommandError('There is nothing to deliver to: set CONTENT_SOURCE, FORM_WEBHOOK_URL or DESTINATION_URL.');
  const store = openStore(config, log);
  const stop = createSignUpService({ config, secretKey, store, log }).start();
  // The rest of the address may contain a secret.
  log('info', 'delivering', { to: new URL(target).origin });
  // Keeps the process running, because the worker's timers do not.
  const keepAliveTimer = setInterval(() => {}, 60_000);
  // Ctrl+C arrives twice: from the terminal and from the command that started this process.
  const signal = await new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, resolve);
  });
  log('info', 'stopping', { signal });
  await stop(STOP_TIMEOUT_MS);
  await store.close();
  clearInterval(keepAliveTimer);
}

/** Refuses a wrong data folder, which would get an empty file and a new key. A server creates its file at the start. */
function requireStore({ databaseUrl, dataDirectory }: Config): void {
  if (databaseUrl === null && !existsSync(join(dataDirectory, FILE)))
    throw new CommandError(`There are no sign-ups in DATA_DIR ${dataDirectory}: set DATA_DIR to the server's folder.`);
}

/** @param args The command's name first. */
async function runSignUpsCommand(config: Config, secretKey: string, args: string[]): Promise<void> {
  const store = openStoreForCommands(config);
  try {
    const outbox = createOutbox(store, createCipher(secretKey, config.previousSecretKeys));
    await runCommand(outbox, args, console.log, knownDestinations(config));
  } finally {
    await store.close();
  }
}

/**
 * Manages the sign-ups in DATA_DIR or DATABASE_URL. It reads the environment of the server, prints to the console, and
 * ends the process with 1 if it is refused.
 * @param args The words after `npm run sign-ups --`.
 */
export async function manageSignUps(args: string[]): Promise<void> {
  const config = loadConfig();
  try {
    const run = args[0] === 'work' ? runWorker : runSignUpsCommand;
    if (run === runSignUpsCommand) requireStore(config);
    await run(config, secretKeyFor(config), args);
  } catch (error) {
    const isExpected = error instanceof CommandError || error instanceof DatabaseError;
    console.error(isExpected ? error.message : error);
    process.exit(1);
  }
}
