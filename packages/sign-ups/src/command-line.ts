import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REMEDIES as OF_GRAVITY_FORMS } from './backends/gravity-forms/remedies.ts';
import { REMEDIES as OF_WEBHOOK } from './backends/webhook.ts';
import { REMEDIES as OF_DESTINATION } from './destination/destination.ts';
import type { ListedDestination } from './destination/destinations.ts';
import { type Outbox, type Payload, withoutBytes } from './outbox/outbox.ts';
import {
  EVERYTHING,
  type QueuedRow,
  type SignUpState,
  type SignUpStore,
  STATES,
  type StoredSignUp,
} from './store/store.ts';
import { copyTroublesOf, idsWithReason, queuesOf, retryWithReason, type Troubled, troublesOf } from './troubles.ts';

const REMEDIES: Record<string, string> = { ...OF_GRAVITY_FORMS, ...OF_WEBHOOK };

const USAGE = `npm run sign-ups -- …
  list [STATE …]          newest 200, without what visitors wrote; states: ${STATES.join(', ')}
  list --suspected        those set aside as probable spam, and why; no other state
  list --reason NAME      those in one trouble, by its name
  reasons                 what keeps how many from the backend, and what mends it
  show ID                 one sign-up with its answers, and its files by name, kind and size
  show ID --files FOLDER  the same, and writes the files to a folder
  retry ID … | --all      deliver these again, dead or set aside, also to destinations; --all: all that are dead
  retry --reason NAME     deliver again what is dead for this reason, there alone
  release ID …            deliver these that were set aside: they were no spam
  export [STATE …]        every sign-up with its answers, a line of JSON each, the newest first
  erase ID …              take out what the visitor wrote; id, digest and times stay
  stats                   how many in which state, and the age of the oldest that waits
  work                    deliver, until it is stopped (the server does so too)`;

/** Ends the command with a message for the operator. */
export class CommandError extends Error {}

/** Maximum lines of `list`. */
const MAX_LISTED = 200;

const isoTime = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

type KnownDestination = Pick<ListedDestination, 'id' | 'name' | 'isEnabled'>;

/** State of the copy for a destination, in words. @param known `undefined`: it is not in the list. */
function statusOf({ state, deliveredAt, erasedAt, lastError, nextTryAt }: QueuedRow, known?: KnownDestination): string {
  if (state === 'delivered') return `delivered ${isoTime(deliveredAt)}`;
  if (erasedAt !== null) return lastError ?? 'erased';
  if (state === 'dead') return `refused: ${lastError}`;
  if (!known) return 'no longer configured';
  if (!known.isEnabled) return 'switched off';
  if (state === 'set-aside') return state;
  return `waiting, next try ${isoTime(nextTryAt)}${lastError === null ? '' : ` (${lastError})`}`;
}

/** One line of a list. It contains nothing that a visitor wrote. */
const summaryLine = (
  { signUpId, formId, state, attempts, createdAt, deliveredAt, lastError }: StoredSignUp,
  copies: Record<string, string>,
) =>
  [
    signUpId,
    `form ${formId}`,
    state.padEnd(9),
    isoTime(createdAt),
    `${attempts} attempts`,
    deliveredAt === null ? (lastError ?? '') : `delivered ${isoTime(deliveredAt)}`,
    ...Object.entries(copies).map(([name, status]) => `destination ${name}: ${status}`),
  ]
    .join('  ')
    .trimEnd();

function payloadOf(outbox: Outbox, signUp: StoredSignUp): Payload | null {
  try {
    return outbox.open(signUp);
  } catch {
    throw new CommandError(`${signUp.signUpId} cannot be opened: it was stored under another SECRET_KEY.`);
  }
}

/** What `show` and `export` print of a sign-up. @param payload `null` after erasure. */
function fullRecord(signUp: StoredSignUp, payload: Payload | null, destinations: Record<string, string>) {
  const files = payload && [
    ...payload.files.map(withoutBytes),
    ...payload.dropped.map((file) => ({ ...file, in: 'the backend' })),
  ];
  return {
    sign_up_id: signUp.signUpId,
    form_id: signUp.formId,
    state: signUp.state,
    created: isoTime(signUp.createdAt),
    delivered: isoTime(signUp.deliveredAt),
    erased: isoTime(signUp.erasedAt),
    attempts: signUp.attempts,
    last_error: signUp.lastError,
    consent: signUp.consentText === null ? null : { text: signUp.consentText, given: isoTime(signUp.createdAt) },
    purposes: signUp.consent,
    ...(Object.keys(destinations).length > 0 && { destinations }),
    digest: signUp.digest,
    answers: payload?.answers ?? null,
    ...(payload?.attribution && { attribution: payload.attribution }),
    ...(files && files.length > 0 && { files }),
  };
}

/** States of a sign-up's copies, by name of the destination. */
type CopyStatus = (signUpId: string) => Promise<Record<string, string>>;

/**
 * Writes files under their own names, with a number before a name that another file has. It never overwrites a file.
 * @returns The paths.
 */
async function writeFiles(folder: string, { files }: Payload): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const usedNames = new Set<string>();
  const paths: string[] = [];
  for (const { name, bytes } of files) {
    let fileName = name;
    for (let copy = 2; usedNames.has(fileName); copy++) fileName = `${copy} ${name}`;
    usedNames.add(fileName);
    const path = join(folder, fileName);
    try {
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw new CommandError(`${path} cannot be written: ${(error as Error).message}`);
    }
    paths.push(path);
  }
  return paths;
}

/** Prints a sign-up as JSON. With `--files FOLDER` it also writes the files there and prints their paths. */
async function showSignUp(
  outbox: Outbox,
  [id = '', option, folder]: string[],
  print: (line: string) => void,
  copyStatus: CopyStatus,
): Promise<void> {
  if (option !== undefined && (option !== '--files' || !folder))
    throw new CommandError(`show ID --files FOLDER\n${USAGE}`);
  const signUp = await outbox.store.get(id.toLowerCase());
  if (!signUp) throw new CommandError(`There is no sign-up ${id}.`);
  const payload = payloadOf(outbox, signUp);
  print(JSON.stringify(fullRecord(signUp, payload, await copyStatus(signUp.signUpId)), null, 2));
  if (!folder) return;
  if (payload && payload.files.length === 0 && payload.dropped.length > 0)
    throw new CommandError(`${id} was delivered, so its files are no longer stored here.`);
  if (!payload || payload.files.length === 0) throw new CommandError(`${id} has no files.`);
  for (const path of await writeFiles(folder, payload)) print(path);
}

/** @returns The name after `--reason`; `null` if the words have no such option. */
function parseReason([option, name, ...more]: string[]): string | null {
  if (option !== '--reason') return null;
  if (!name || more.length > 0) throw new CommandError(`Name one reason: npm run sign-ups -- reasons\n${USAGE}`);
  return name;
}

/** Ids of the sign-ups that have this reason themselves or in the copy for a destination. */
async function idsInTrouble(store: SignUpStore, reason: string): Promise<Set<string>> {
  const idsByQueue = (await queuesOf(store)).map((queue) => idsWithReason(queue, [], { reason }));
  return new Set((await Promise.all(idsByQueue)).flat());
}

async function listSignUps(
  { store }: Outbox,
  words: string[],
  print: (line: string) => void,
  copyStatus: CopyStatus,
): Promise<void> {
  const reason = parseReason(words);
  const ids = reason === null ? null : await idsInTrouble(store, reason);
  const states = reason === null ? parseStates(words) : [];
  const rows = await store.list({ states, limit: ids ? EVERYTHING : MAX_LISTED, isBare: true });
  for (const row of rows.filter(({ signUpId }) => !ids || ids.has(signUpId)).slice(0, MAX_LISTED))
    print(summaryLine(row, await copyStatus(row.signUpId)));
}

async function printReasons(
  { store }: Outbox,
  print: (line: string) => void,
  known: readonly KnownDestination[],
): Promise<void> {
  /** @param to The destination, with two spaces before it; empty: the backend. */
  const printTroubles = (troubles: Troubled[], remedies: Record<string, string>, to = '') => {
    for (const { state, formId, reason, count, oldestAt, words } of troubles) {
      print(
        `${String(count).padStart(6)}  ${state.padEnd(9)}  form ${formId}${to}  ${reason}  since ${isoTime(oldestAt)}`,
      );
      for (const message of words) print(`        “${message}”`);
      if (remedies[reason]) print(`        ${remedies[reason]}`);
    }
  };
  printTroubles(await troublesOf(store), REMEDIES);
  for (const { id, name } of known)
    printTroubles(await copyTroublesOf(store.copiesFor(id)), OF_DESTINATION, `  destination ${name}`);
}

async function retrySignUps({ store }: Outbox, words: string[], now: number): Promise<number> {
  const reason = parseReason(words);
  if (reason !== null) {
    const counts = (await queuesOf(store)).map((queue) => retryWithReason(queue, { reason }, now));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }
  return store.retry(words[0] === '--all' ? null : parseIds(words), now);
}

function parseStates(words: string[]): SignUpState[] {
  if (words.length === 1 && words[0] === '--suspected') return ['set-aside'];
  const unknown = words.find((word) => !(STATES as readonly string[]).includes(word));
  if (unknown !== undefined) throw new CommandError(`There is no state "${unknown}": use ${STATES.join(', ')}.`);
  return words as SignUpState[];
}

function parseIds(words: string[]): string[] {
  if (words.length === 0) throw new CommandError('Say which, by id: npm run sign-ups -- list');
  return words.map((word) => word.toLowerCase());
}

/** Releases set-aside sign-ups only, so a mistyped id cannot change a delivered or dead one. */
async function releaseSignUps({ store }: Outbox, ids: string[], now: number): Promise<number> {
  const found = await Promise.all(ids.map((id) => store.get(id)));
  const suspected = found.flatMap((signUp) => (signUp?.state === 'set-aside' ? signUp.signUpId : []));
  return suspected.length > 0 ? store.retry(suspected, now) : 0;
}

/**
 * Runs any command except `work`, which never ends.
 * @param print Prints one line.
 * @param known The destinations.
 * @throws `CommandError` if the command cannot run as requested.
 */
export async function runCommand(
  outbox: Outbox,
  [name, ...words]: string[],
  print: (line: string) => void,
  known: readonly KnownDestination[] = [],
) {
  const { store } = outbox;
  const destinations = await store.destinations();
  const copyStatus: CopyStatus = async (signUpId) => {
    const states: Record<string, string> = {};
    for (const id of destinations) {
      const copy = await store.copiesFor(id).get(signUpId);
      const listed = known.find((one) => one.id === id);
      if (copy) states[listed?.name ?? id] = statusOf(copy, listed);
    }
    return states;
  };
  const now = Date.now();
  switch (name) {
    case 'list':
      return listSignUps(outbox, words, print, copyStatus);
    case 'reasons':
      return printReasons(outbox, print, known);
    case 'show':
      parseIds(words);
      return showSignUp(outbox, words, print, copyStatus);
    case 'export':
      // One after the other: all at once could exceed the memory.
      for (const { signUpId } of await store.list({ states: parseStates(words), limit: EVERYTHING, isBare: true })) {
        const signUp = await store.get(signUpId);
        if (signUp) print(JSON.stringify(fullRecord(signUp, payloadOf(outbox, signUp), await copyStatus(signUpId))));
      }
      return;
    case 'retry':
      return print(`${await retrySignUps(outbox, words, now)} will be delivered again`);
    case 'release':
      return print(`${await releaseSignUps(outbox, parseIds(words), now)} will be delivered`);
    case 'erase':
      return print(`${await store.erase(parseIds(words), now)} erased`);
    case 'stats': {
      const { counts, oldestAt } = await store.stats();
      for (const [state, count] of Object.entries(counts)) print(`${state.padEnd(9)} ${count}`);
      return print(`oldest    ${oldestAt === null ? 'none waits' : `${Math.round((now - oldestAt) / 1000)} s`}`);
    }
    default:
      throw new CommandError(USAGE);
  }
}
