import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandError, runCommand } from './command-line.ts';
import { createCipher } from './outbox/cipher.ts';
import { createOutbox, type Outbox } from './outbox/outbox.ts';
import { createDirectSqliteStore } from './store/sqlite-store.ts';
import type { Queue } from './store/store.ts';
import { copyTroublesOf, retryWithReason, troublesOf } from './troubles.ts';

const { folder } = undoAfterEach();
let outbox: Outbox;
const CLAIM = { leaseUntil: 1, limit: 9, stubbornLimit: 9, horizonMs: 80_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20) });
  outbox = createOutbox(createDirectSqliteStore(folder()), createCipher('a secret of the tests'));
});
afterEach(async () => {
  vi.useRealTimers();
  await outbox.store.close();
});

/** Each sign-up is a second later than the one before. */
async function keep(suspected: string | null = null): Promise<string> {
  const signUpId = randomUUID();
  const answers = { input_2: 'ada@example.org' };
  await outbox.add({ signUpId, formId: 1, answers, consentText: 'Send me the letter', suspected });
  vi.advanceTimersByTime(1_000);
  return signUpId;
}

async function bury(reason = 'answers-refused: 2 (No.)'): Promise<string> {
  const signUpId = await keep();
  await outbox.store.claim({ ...CLAIM, now: Date.now() });
  await outbox.store.bury({ signUpId, attempt: 1 }, reason);
  return signUpId;
}

const KNOWN = [{ id: 'environment', name: 'environment', isEnabled: true }];

async function runWith(known: typeof KNOWN, ...words: string[]): Promise<string> {
  const lines: string[] = [];
  await runCommand(outbox, words, (line) => lines.push(line), known);
  return lines.join('\n');
}

const run = (...words: string[]) => runWith([], ...words);

const at = (second: number) => `2026-11-20T00:00:0${second}.000Z`;

test('list shows each sign-up with its state and error, without answers, the newest first', async () => {
  const [dead, spam, sent, waits] = [await bury(), await keep('honeypot'), await keep(), await keep()];
  await outbox.store.deliver(sent, Date.now());
  const buried = `${dead}  form 1  dead       ${at(0)}  1 attempts  answers-refused: 2 (No.)`;
  expect((await run('list')).split('\n')).toEqual([
    `${waits}  form 1  waiting    ${at(3)}  0 attempts`,
    `${sent}  form 1  delivered  ${at(2)}  0 attempts  delivered ${at(4)}`,
    `${spam}  form 1  set-aside  ${at(1)}  0 attempts  honeypot`,
    buried,
  ]);
  expect(await run('list', 'dead')).toBe(buried);
});

test('reasons shows why sign-ups are not delivered and how to fix it; retry --reason delivers them again', async () => {
  const [dead, other] = [await bury(), await bury('form-closed: Sold out')];
  await bury('form-closed: Too late');
  await keep('sent 20 ms after the form was shown');
  await keep('sent 30 ms after the form was shown');
  expect((await run('reasons')).split('\n')).toEqual([
    `     2  dead       form 1  form-closed  since ${at(1)}`,
    '        “Sold out”',
    '        “Too late”',
    '        The form is closed: raise its limit, or open its dates.',
    `     2  set-aside  form 1  probable-spam  since ${at(3)}`,
    `     1  dead       form 1  answers-refused  since ${at(0)}`,
    '        “2 (No.)”',
    expect.stringMatching(/^ {8}WordPress rejected an answer: /),
  ]);
  expect(await run('list', '--reason', 'form-closed')).toContain(other);
  expect(await run('list', '--reason', 'form-closed')).not.toContain(dead);
  expect(await retryWithReason(outbox.store, { reason: 'form-closed', formId: 2 }, 0)).toBe(0);
  expect(await run('retry', '--reason', 'form-closed')).toBe('2 will be delivered again');
  expect((await outbox.store.get(dead))?.state).toBe('dead');
  await expect(run('retry', '--reason')).rejects.toThrow(CommandError);
});

test('problems with the same name are one, with at most three messages; rows not tried yet are no problem', async () => {
  const row = { state: 'waiting' as const, formId: 1, count: 1, oldestAt: 9, reason: 'timeout: a' };
  const rows = [
    { ...row, state: 'leased' as const },
    ...['timeout: b', 'timeout:b', 'timeout', 'timeout: c', 'timeout: d'].map((reason) => ({ ...row, reason })),
    { ...row, oldestAt: 5, count: 2 },
    { ...row, formId: 2 },
    { ...row, state: 'dead' as const, count: 3 },
    { ...row, reason: null },
    { ...row, state: 'set-aside' as const, count: 2 },
    { ...row, state: 'leased' as const, reason: null },
  ];
  const trouble = { state: 'waiting', formId: 1, reason: 'timeout', count: 1, oldestAt: 9, words: ['a'] };
  const queue = { troubles: async () => rows } as Partial<Queue> as Queue;
  const copies = [
    { ...trouble, count: 8, oldestAt: 5, words: ['a', 'b', 'c'] },
    { ...trouble, state: 'dead', count: 3 },
    { ...trouble, formId: 2 },
  ];
  const spam = { ...trouble, state: 'set-aside', reason: 'probable-spam', count: 2 };
  expect(await troublesOf(queue)).toEqual([...copies.slice(0, 2), spam, copies[2]]);
  expect(await copyTroublesOf(queue)).toEqual(copies);
});

test('show prints a sign-up with its answers and consent; export prints all, one per line', async () => {
  const [id, other] = [await keep(), await keep('honeypot')];
  expect(JSON.parse(await run('show', id.toUpperCase()))).toEqual({
    ...{ sign_up_id: id, form_id: 1, state: 'waiting', digest: expect.any(String), erased: null, last_error: null },
    answers: { input_2: 'ada@example.org' },
    consent: { text: 'Send me the letter', given: at(0) },
    created: at(0),
    delivered: null,
    attempts: 0,
    purposes: [],
  });
  const lines = (await run('export')).split('\n').map((line) => JSON.parse(line));
  expect(lines.map(({ sign_up_id }) => sign_up_id)).toEqual([other, id]);
  expect((await run('export', 'waiting')).split('\n')).toHaveLength(1);
});

test('an erased sign-up is shown without answers, with its digest', async () => {
  const id = await keep();
  const { digest } = JSON.parse(await run('show', id));
  expect(await run('erase', id)).toBe('1 erased');
  expect(JSON.parse(await run('show', id))).toMatchObject({ digest, answers: null, state: 'dead' });
});

test('retry delivers dead sign-ups again, all or by id; spam only by id', async () => {
  await bury();
  const spam = await keep('honeypot');
  expect(await run('retry', '--all')).toMatch(/^1 /);
  expect(await run('stats')).toMatch(/^oldest {4}2 s$/m);
  expect(await run('retry', spam)).toMatch(/^1 /);
  const counts = ['waiting   2', 'leased    0', 'delivered 0', 'dead      0', 'set-aside 0', 'oldest    2 s'];
  expect((await run('stats')).split('\n')).toEqual(counts);
});

test('list, reasons and retry include the state at the destination; without one, what waits is no trouble', async () => {
  const { store } = outbox;
  const copy = { pagePath: '/', language: 'en', consent: [], attribution: { first: {}, last: {} } };
  outbox = createOutbox(store, createCipher('a secret of the tests'), Date.now, () => [
    { destination: 'environment', answers: {}, copy },
  ]);
  const [sent, refused, failed, erased] = [await keep(), await keep(), await keep(), await keep()];
  await store.copiesFor('environment').claim({ ...CLAIM, now: Date.now(), leaseUntil: Date.now() + 20_000 });
  await store.copiesFor('environment').deliver(sent, 0);
  await store.copiesFor('environment').bury({ signUpId: refused, attempt: 1 }, 'receiver-gone: status 410');
  await store
    .copiesFor('environment')
    .postpone({ signUpId: failed, attempt: 1 }, 60_000, 'receiver-failed: status 500');
  await store.erase([erased], Date.now());

  const list = await runWith(KNOWN, 'list');
  expect(list).toMatch(new RegExp(`^${sent} .*destination environment: delivered 1970-01-01T00:00:00.000Z$`, 'm'));
  expect(list).toMatch(new RegExp(`^${refused} .*destination environment: refused: receiver-gone: status 410$`, 'm'));
  expect(list).toMatch(
    new RegExp(
      `^${failed} .*destination environment: waiting, next try 1970-01-01T00:01:00.000Z \\(receiver-failed: status 500\\)$`,
      'm',
    ),
  );
  expect(list).toMatch(new RegExp(`^${erased} .*destination environment: erased$`, 'm'));
  expect(JSON.parse(await runWith(KNOWN, 'show', sent)).destinations.environment).toMatch(/^delivered/);
  expect(await runWith(KNOWN, 'reasons')).toMatch(
    /^ {5}1 {2}dead {7}form 1 {2}destination environment {2}receiver-gone .*\n.*410.*\n.*change DESTINATION_URL/m,
  );

  expect(await runWith(KNOWN, 'list', '--reason', 'receiver-gone')).toMatch(new RegExp(`^${refused} .*410$`));
  expect(await runWith(KNOWN, 'list', '--reason', 'receiver-failed')).toMatch(new RegExp(`^${failed} .*500\\)$`));
  await store.deliver(refused, 0);
  expect(await runWith(KNOWN, 'retry', '--reason', 'receiver-gone')).toBe('1 will be delivered again');
  expect(await store.copiesFor('environment').get(refused)).toMatchObject({ state: 'waiting', attempts: 0 });
  expect((await store.get(refused))?.state).toBe('delivered');

  expect(await run('list')).toMatch(new RegExp(`^${failed} .*destination environment: no longer configured$`, 'm'));
  const isOff = KNOWN.map((one) => ({ ...one, isEnabled: false }));
  expect(await runWith(isOff, 'list')).toMatch(new RegExp(`^${failed} .*destination environment: switched off$`, 'm'));
  const untried = await keep();
  expect(await runWith(KNOWN, 'list')).toMatch(new RegExp(`^${untried} .*environment: waiting, next try [^ ]+Z$`, 'm'));
  expect(await run('reasons')).not.toContain('destination');
});

test('release delivers suspected sign-ups by id, and no others; list --suspected shows their reasons', async () => {
  const dead = await bury();
  const spam = await keep('sent 12 ms after the form was shown');
  expect(await run('list', '--suspected')).toMatch(new RegExp(`^${spam} .*sent 12 ms after the form was shown$`));
  expect(await run('release', dead, spam)).toBe('1 will be delivered');
  expect((await outbox.store.get(spam))?.state).toBe('waiting');
  expect((await outbox.store.get(dead))?.state).toBe('dead');
  expect(await run('list', '--suspected')).toBe('');
  expect(await run('release', randomUUID())).toBe('0 will be delivered');
});

test('an invalid command is refused with a hint', async () => {
  const done = async (...words: string[]) =>
    run(...words).then(
      () => 'done',
      (error: Error) => (error instanceof CommandError ? error.message : 'another error'),
    );
  expect(await done()).toContain('npm run sign-ups');
  expect(await done('list', 'lost')).toContain('no state "lost"');
  for (const command of ['erase', 'show', 'retry', 'release']) expect(await done(command)).toContain('Say which');
  expect(await done('retry', '--reason', 'one', 'two')).toContain('Name one reason');
  expect(await done('show', 'nobody')).toContain('no sign-up nobody');
  expect(await done('show', 'nobody', '--file', 'out')).toContain('show ID --files FOLDER');
  expect(await done('show', await keep(), '--files', folder())).toContain('has no files');
});

test('with another key nothing is shown, and the error names the reason', async () => {
  const id = await keep();
  outbox = createOutbox(outbox.store, createCipher('another secret, as long'));
  await expect(run('show', id)).rejects.toThrow('under another SECRET_KEY');
});

test('files are listed with their size, written under their own names, and never overwrite a file', async () => {
  const signUpId = randomUUID();
  const file = (name: string, text: string) => ({
    ...{ input: 'input_5[]', name, type: 'text/plain', bytes: Buffer.from(text) },
  });
  const files = [file('notes.txt', 'The paper.'), file('notes.txt', 'The pass.'), file('notes.txt', '')];
  await outbox.add({ signUpId, formId: 1, answers: {}, files, consentText: null, suspected: null });
  const named = { input: 'input_5[]', name: 'notes.txt', type: 'text/plain' };
  const all = [10, 9, 0].map((size) => ({ ...named, size }));
  expect(JSON.parse(await run('show', signUpId)).files).toEqual(all);
  expect(JSON.parse(await run('export')).files).toEqual(all);
  const out = join(folder(), 'out');
  const paths = ['notes.txt', '2 notes.txt', '3 notes.txt'].map((name) => join(out, name)).join('\n');
  expect((await run('show', signUpId, '--files', out)).endsWith(`\n}\n${paths}`)).toBe(true);
  expect(readFileSync(join(out, 'notes.txt'), 'utf8')).toBe('The paper.');
  expect(readFileSync(join(out, '2 notes.txt'), 'utf8')).toBe('The pass.');
  await expect(run('show', signUpId, '--files', out)).rejects.toThrow(/notes\.txt cannot be written/);
  await expect(run('show', signUpId, '--files')).rejects.toThrow(CommandError);
  const row = await outbox.store.get(signUpId);
  const payload = (row && outbox.open(row)) ?? expect.fail('it is stored');
  await outbox.store.deliver(signUpId, Date.now(), outbox.sealDelivered(signUpId, payload, null));
  expect(JSON.parse(await run('show', signUpId)).files).toEqual(all.map((file) => ({ ...file, in: 'the backend' })));
  await expect(run('show', signUpId, '--files', out)).rejects.toThrow('its files are no longer stored here');
  await run('erase', signUpId);
  expect(await outbox.store.get(signUpId)).toMatchObject({ payload: null });
  await expect(run('show', signUpId, '--files', out)).rejects.toThrow('has no files');
});
