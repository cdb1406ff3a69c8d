import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outbox } from './outbox.ts';
import type { Opened } from './parcel.ts';
import { type SignUpState, STATES, type StoredSignUp } from './store/store.ts';

export const USAGE = `npm run sign-ups -- …
  list [STATE …]          newest 200, without what visitors wrote; states: ${STATES.join(', ')}
  list --suspected        those set aside as probable spam, and why; no other state
  show ID                 one sign-up with its answers, and its files by name, kind and size
  show ID --files FOLDER  the same, and writes the files to a folder
  retry ID … | --all      deliver these again, dead or set aside; --all: all that are dead
  release ID …            deliver these that were set aside: they were no spam
  export [STATE …]        every sign-up with its answers, a line of JSON each, the newest first
  erase ID …              take out what the visitor wrote; id, digest and times stay
  stats                   how many in which state, and the age of the oldest that waits
  work                    deliver, until it is stopped (the server does so too)`;

/** Said to the operator; ends the command. */
export class Refused extends Error {}

const LISTED = 200;
const EVERYTHING = 2 ** 31 - 1;

const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** What may be shown anywhere: nothing that a visitor wrote. */
const outline = ({ signUpId, formId, state, attempts, createdAt, deliveredAt, lastError }: StoredSignUp) =>
  [
    signUpId,
    `form ${formId}`,
    state.padEnd(9),
    time(createdAt),
    `${attempts} attempts`,
    deliveredAt === null ? (lastError ?? '') : `delivered ${time(deliveredAt)}`,
  ]
    .join('  ')
    .trimEnd();

function openedOf(outbox: Outbox, signUp: StoredSignUp): Opened | null {
  try {
    return outbox.openedOf(signUp);
  } catch {
    throw new Refused(`${signUp.signUpId} cannot be opened: it was stored under another SECRET_KEY.`);
  }
}

function whole(signUp: StoredSignUp, opened: Opened | null) {
  const files = opened?.files.map(({ input, name, type, bytes }) => ({ input, name, type, size: bytes.byteLength }));
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
    digest: signUp.digest,
    answers: opened?.answers ?? null,
    ...(files && files.length > 0 && { files }),
  };
}

/** Writes files under their own names, and never over one that is there. @returns Where they lie. */
async function writeFiles(folder: string, { files }: Opened): Promise<string[]> {
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

async function show(outbox: Outbox, [id = '', option, folder]: string[], print: (line: string) => void): Promise<void> {
  if (option !== undefined && (option !== '--files' || !folder)) throw new Refused(`show ID --files FOLDER\n${USAGE}`);
  const signUp = await outbox.store.get(id.toLowerCase());
  if (!signUp) throw new Refused(`There is no sign-up ${id}.`);
  const opened = openedOf(outbox, signUp);
  print(JSON.stringify(whole(signUp, opened), null, 2));
  if (!folder) return;
  if (!opened || opened.files.length === 0) throw new Refused(`${id} has no files.`);
  for (const path of await writeFiles(folder, opened)) print(path);
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

/** Only what was set aside: whatever was delivered or found wrong is not made to wait by a slip of the hand. */
async function release({ store }: Outbox, ids: string[], now: number): Promise<number> {
  const found = await Promise.all(ids.map((id) => store.get(id)));
  const suspected = found.flatMap((signUp) => (signUp?.state === 'set-aside' ? signUp.signUpId : []));
  return suspected.length > 0 ? store.retry(suspected, now) : 0;
}

/**
 * Runs one command but `work`, which never ends.
 * @param print Takes one line.
 * @throws `Refused` where it cannot be done as asked.
 */
export async function runCommand(outbox: Outbox, [name, ...words]: string[], print: (line: string) => void) {
  const { store } = outbox;
  const now = Date.now();
  switch (name) {
    case 'list':
      for (const signUp of await store.list({ states: statesIn(words), limit: LISTED, isBare: true }))
        print(outline(signUp));
      return;
    case 'show':
      idsIn(words);
      return show(outbox, words, print);
    case 'export':
      // One after the other: all at once could be more than memory holds.
      for (const { signUpId } of await store.list({ states: statesIn(words), limit: EVERYTHING, isBare: true })) {
        const signUp = await store.get(signUpId);
        if (signUp) print(JSON.stringify(whole(signUp, openedOf(outbox, signUp))));
      }
      return;
    case 'retry':
      return print(`${await store.retry(words[0] === '--all' ? null : idsIn(words), now)} will be delivered again`);
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
