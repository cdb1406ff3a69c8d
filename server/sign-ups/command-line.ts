import type { Answers, Outbox } from './outbox.ts';
import { type SignUpState, STATES, type StoredSignUp } from './store/store.ts';

export const USAGE = `npm run sign-ups -- …
  list [STATE …]          newest 200, without what visitors wrote; states: ${STATES.join(', ')}
  list --suspected        those set aside as probable spam, and why; no other state
  show ID                 one sign-up with its answers
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

function answersOf(outbox: Outbox, signUp: StoredSignUp): Answers | null {
  try {
    return outbox.answersOf(signUp);
  } catch {
    throw new Refused(`${signUp.signUpId} cannot be opened: it was stored under another SECRET_KEY.`);
  }
}

const whole = (outbox: Outbox, signUp: StoredSignUp) => ({
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
  answers: answersOf(outbox, signUp),
});

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
      for (const signUp of await store.list({ states: statesIn(words), limit: LISTED })) print(outline(signUp));
      return;
    case 'show': {
      const [id = ''] = idsIn(words);
      const signUp = await store.get(id);
      if (!signUp) throw new Refused(`There is no sign-up ${id}.`);
      return print(JSON.stringify(whole(outbox, signUp), null, 2));
    }
    case 'export':
      for (const signUp of await store.list({ states: statesIn(words), limit: EVERYTHING }))
        print(JSON.stringify(whole(outbox, signUp)));
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
