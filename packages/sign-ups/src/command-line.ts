import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REMEDIES as OF_GRAVITY_FORMS } from './backends/gravity-forms/remedies.ts';
import { REMEDIES as OF_WEBHOOK } from './backends/webhook.ts';
import { REMEDIES as OF_DESTINATION } from './destination/destination.ts';
import type { ListedDestination } from './destination/destinations.ts';
import type { Outbox, Payload } from './outbox/outbox.ts';
import { EVERYTHING, type QueuedRow, type SignUpState, STATES, type StoredSignUp } from './store/store.ts';
import { copyTroublesOf, idsWith, queuesOf, retryAll, type Troubled, troublesOf } from './troubles.ts';

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

/** Message for the operator. It ends the command. */
export class Refused extends Error {}

const LISTED = 200;

const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

type Known = Pick<ListedDestination, 'id' | 'name' | 'isEnabled'>;

/** State of the copy for a destination, in words. @param known `undefined`: it is not in the list. */
function statusOf({ state, deliveredAt, erasedAt, lastError, nextTryAt }: QueuedRow, known?: Known): string {
  if (state === 'delivered') return `delivered ${time(deliveredAt)}`;
  if (erasedAt !== null) return lastError ?? 'erased';
  if (state === 'dead') return `refused: ${lastError}`;
  if (!known) return 'no longer configured';
  if (!known.isEnabled) return 'switched off';
  if (state === 'set-aside') return state;
  return `waiting, next try ${time(nextTryAt)}${lastError === null ? '' : ` (${lastError})`}`;
}

/** One line of a list. It contains nothing that a visitor wrote. */
const outline = (
  { signUpId, formId, state, attempts, createdAt, deliveredAt, lastError }: StoredSignUp,
  copies: Record<string, string>,
) =>
  [
    signUpId,
    `form ${formId}`,
    state.padEnd(9),
    time(createdAt),
    `${attempts} attempts`,
    deliveredAt === null ? (lastError ?? '') : `delivered ${time(deliveredAt)}`,
    ...Object.entries(copies).map(([name, status]) => `destination ${name}: ${status}`),
  ]
    .join('  ')
    .trimEnd();

function payloadOf(outbox: Outbox, signUp: StoredSignUp): Payload | null {
  try {
    return outbox.open(signUp);
  } catch {
    throw new Refused(`${signUp.signUpId} cannot be opened: it was stored under another SECRET_KEY.`);
  }
}

function whole(signUp: StoredSignUp, payload: Payload | null, destinations: Record<string, string>) {
  const here = payload?.files.map(({ input, name, type, bytes }) => ({ input, name, type, size: bytes.byteLength }));
  const files = here && [...here, ...(payload?.dropped.map((file) => ({ ...file, in: 'the backend' })) ?? [])];
  return {
    sign_up_id: signUp.signUpId,
    form_id: signUp.formId,
    state: signUp.state,
    created: time(signUp.createdAt),
    delivered: time(signUp.deliveredAt),
    erased: time(signUp.erasedAt),
    attempts: signUp.attempts,
    last_error: signUp.lastError,
    consent: signUp.consentText === null ? null : { text: signUp.consentText, given: time(signUp.createdAt) },
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

/** Writes files under their own names and never overwrites a file. @returns The paths. */
async function writeFiles(folder: string, { files }: Payload): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const taken = new Set<string>();
  const paths: string[] = [];
  for (const { name, bytes } of files) {
    let own = name;
    for (let copy = 2; taken.has(own); copy++) own = `${copy} ${name}`;
    taken.add(own);
    const path = join(folder, own);
    try {
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw new Refused(`${path} cannot be written: ${(error as Error).message}`);
    }
    paths.push(path);
  }
  return paths;
}

async function show(
  outbox: Outbox,
  [id = '', option, folder]: string[],
  print: (line: string) => void,
  copyStatus: CopyStatus,
): Promise<void> {
  if (option !== undefined && (option !== '--files' || !folder)) throw new Refused(`show ID --files FOLDER\n${USAGE}`);
  const signUp = await outbox.store.get(id.toLowerCase());
  if (!signUp) throw new Refused(`There is no sign-up ${id}.`);
  const payload = payloadOf(outbox, signUp);
  print(JSON.stringify(whole(signUp, payload, await copyStatus(signUp.signUpId)), null, 2));
  if (!folder) return;
  if (payload && payload.files.length === 0 && payload.dropped.length > 0)
    throw new Refused(`${id} was delivered, so its files are no longer stored here.`);
  if (!payload || payload.files.length === 0) throw new Refused(`${id} has no files.`);
  for (const path of await writeFiles(folder, payload)) print(path);
}

/** @returns The name after `--reason`, or `null` if the words have no such option. */
function reasonIn([option, name, ...more]: string[]): string | null {
  if (option !== '--reason') return null;
  if (!name || more.length > 0) throw new Refused(`Name one reason: npm run sign-ups -- reasons\n${USAGE}`);
  return name;
}

async function list(
  { store }: Outbox,
  words: string[],
  print: (line: string) => void,
  copyStatus: CopyStatus,
): Promise<void> {
  const reason = reasonIn(words);
  const idsFor = async (name: string) =>
    (await Promise.all((await queuesOf(store)).map((queue) => idsWith(queue, [], { reason: name })))).flat();
  const ids = reason === null ? null : new Set(await idsFor(reason));
  const states = reason === null ? statesIn(words) : [];
  const rows = await store.list({ states, limit: ids ? EVERYTHING : LISTED, isBare: true });
  for (const row of rows.filter(({ signUpId }) => !ids || ids.has(signUpId)).slice(0, LISTED))
    print(outline(row, await copyStatus(row.signUpId)));
}

async function reasons({ store }: Outbox, print: (line: string) => void, known: readonly Known[]): Promise<void> {
  const tell = (found: Troubled[], remedies: Record<string, string>, to = '') => {
    for (const { state, formId, reason, count, oldestAt, words } of found) {
      print(
        `${String(count).padStart(6)}  ${state.padEnd(9)}  form ${formId}${to}  ${reason}  since ${time(oldestAt)}`,
      );
      for (const said of words) print(`        “${said}”`);
      if (remedies[reason]) print(`        ${remedies[reason]}`);
    }
  };
  tell(await troublesOf(store), REMEDIES);
  for (const { id, name } of known)
    tell(await copyTroublesOf(store.copiesFor(id)), OF_DESTINATION, `  destination ${name}`);
}

async function retry({ store }: Outbox, words: string[], now: number): Promise<number> {
  const reason = reasonIn(words);
  if (reason !== null) {
    const counts = (await queuesOf(store)).map((queue) => retryAll(queue, { reason }, now));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }
  return store.retry(words[0] === '--all' ? null : idsIn(words), now);
}

function statesIn(words: string[]): SignUpState[] {
  if (words.length === 1 && words[0] === '--suspected') return ['set-aside'];
  const unknown = words.find((word) => !(STATES as readonly string[]).includes(word));
  if (unknown !== undefined) throw new Refused(`There is no state "${unknown}": use ${STATES.join(', ')}.`);
  return words as SignUpState[];
}

function idsIn(words: string[]): string[] {
  if (words.length === 0) throw new Refused('Say which, by id: npm run sign-ups -- list');
  return words.map((word) => word.toLowerCase());
}

/** Releases set-aside sign-ups only, so a mistyped id cannot change a delivered or dead one. */
async function release({ store }: Outbox, ids: string[], now: number): Promise<number> {
  const found = await Promise.all(ids.map((id) => store.get(id)));
  const suspected = found.flatMap((signUp) => (signUp?.state === 'set-aside' ? signUp.signUpId : []));
  return suspected.length > 0 ? store.retry(suspected, now) : 0;
}

/**
 * Runs any command except `work`, which never ends.
 * @param print Prints one line.
 * @param known The destinations.
 * @throws `Refused` if the command cannot run as requested.
 */
export async function runCommand(
  outbox: Outbox,
  [name, ...words]: string[],
  print: (line: string) => void,
  known: readonly Known[] = [],
) {
  const { store } = outbox;
  const stored = await store.destinations();
  const copyStatus: CopyStatus = async (signUpId) => {
    const states: Record<string, string> = {};
    for (const id of stored) {
      const copy = await store.copiesFor(id).get(signUpId);
      const listed = known.find((one) => one.id === id);
      if (copy) states[listed?.name ?? id] = statusOf(copy, listed);
    }
    return states;
  };
  const now = Date.now();
  switch (name) {
    case 'list':
      return list(outbox, words, print, copyStatus);
    case 'reasons':
      return reasons(outbox, print, known);
    case 'show':
      idsIn(words);
      return show(outbox, words, print, copyStatus);
    case 'export':
      // One after the other: all at once could exceed the memory.
      for (const { signUpId } of await store.list({ states: statesIn(words), limit: EVERYTHING, isBare: true })) {
        const signUp = await store.get(signUpId);
        if (signUp) print(JSON.stringify(whole(signUp, payloadOf(outbox, signUp), await copyStatus(signUpId))));
      }
      return;
    case 'retry':
      return print(`${await retry(outbox, words, now)} will be delivered again`);
    case 'release':
      return print(`${await release(outbox, idsIn(words), now)} will be delivered`);
    case 'erase':
      return print(`${await store.erase(idsIn(words), now)} erased`);
    case 'stats': {
      const { counts, oldestAt } = await store.stats();
      for (const [state, count] of Object.entries(counts)) print(`${state.padEnd(9)} ${count}`);
      return print(`oldest    ${oldestAt === null ? 'none waits' : `${Math.round((now - oldestAt) / 1000)} s`}`);
    }
    default:
      throw new Refused(USAGE);
  }
}
