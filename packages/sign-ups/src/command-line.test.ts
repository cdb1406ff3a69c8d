import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Refused, runCommand } from './command-line.ts';
import { createCipher } from './outbox/cipher.ts';
import { createOutbox, type Outbox } from './outbox/outbox.ts';
import { createDirectSqliteStore } from './store/sqlite-store.ts';

const { folder } = undoAfterEach();
let outbox: Outbox;
const CLAIM = { leaseUntil: 1, limit: 9, stubbornLimit: 9, horizonMs: 80_000 };

beforeEach(() => {
  outbox = createOutbox(createDirectSqliteStore(folder()), createCipher('a secret of the tests'));
});
afterEach(() => outbox.store.close());

async function keep(suspected: string | null = null): Promise<string> {
  const signUpId = randomUUID();
  const answers = { input_2: 'ada@example.org' };
  await outbox.keep({ signUpId, formId: 1, answers, consentText: 'Send me the letter', suspected });
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

test('list shows each sign-up with its state and error, without answers', async () => {
  const [dead, spam] = [await bury(), await keep('honeypot')];
  const list = await run('list');
  expect(list.split('\n')).toHaveLength(2);
  expect(list).toMatch(new RegExp(`${dead}  form 1  dead .*answers-refused: 2 \\(No\\.\\)$`, 'm'));
  expect(list).toMatch(new RegExp(`${spam}  form 1  set-aside .*honeypot$`, 'm'));
  // With the @, because ids contain letters too.
  expect(list).not.toContain('ada@');
  expect(await run('list', 'dead')).not.toContain(spam);
});

test('reasons shows why sign-ups are not delivered and how to fix it; retry --reason delivers them again', async () => {
  const [dead, other] = [await bury(), await bury('form-closed: Sold out')];
  await bury('form-closed: Too late');
  await keep('sent 20 ms after the form was shown');
  await keep('sent 30 ms after the form was shown');
  const said = await run('reasons');
  expect(said).toMatch(/^ {5}2 {2}dead {7}form 1 {2}form-closed {2}since 20/m);
  expect(said).toContain('“Sold out”');
  expect(said).toContain('raise its limit');
  expect(said).toMatch(/^ {5}2 {2}set-aside {2}form 1 {2}probable-spam/m);
  expect(said).not.toContain('ada@');
  expect(await run('list', '--reason', 'form-closed')).toContain(other);
  expect(await run('list', '--reason', 'form-closed')).not.toContain(dead);
  expect(await run('retry', '--reason', 'form-closed')).toBe('2 will be delivered again');
  expect((await outbox.store.get(dead))?.state).toBe('dead');
  await expect(run('retry', '--reason')).rejects.toThrow(Refused);
});

test('show prints a sign-up with its answers and consent; export prints all, one per line', async () => {
  const [id, other] = [await keep(), await keep('honeypot')];
  expect(JSON.parse(await run('show', id.toUpperCase()))).toMatchObject({
    sign_up_id: id,
    answers: { input_2: 'ada@example.org' },
    consent: { text: 'Send me the letter', given: expect.stringMatching(/^20.+Z$/) },
  });
  const lines = (await run('export')).split('\n').map((line) => JSON.parse(line));
  expect(lines.map(({ sign_up_id }) => sign_up_id).sort()).toEqual([id, other].sort());
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
  expect(await run('retry', spam)).toMatch(/^1 /);
  expect(await run('stats')).toMatch(/^waiting {3}2$/m);
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
});

test('an invalid command is refused with a hint', async () => {
  const done = async (...words: string[]) =>
    run(...words).then(
      () => 'done',
      (error: Error) => (error instanceof Refused ? error.message : 'another error'),
    );
  expect(await done()).toContain('npm run sign-ups');
  expect(await done('list', 'lost')).toContain('no state "lost"');
  expect(await done('erase')).toContain('Say which');
  expect(await done('show', 'nobody')).toContain('no sign-up nobody');
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
  const files = [file('notes.txt', 'The paper.'), file('notes.txt', 'The pass.')];
  await outbox.keep({ signUpId, formId: 1, answers: {}, files, consentText: null, suspected: null });
  const named = { input: 'input_5[]', name: 'notes.txt', type: 'text/plain' };
  const both = [
    { ...named, size: 10 },
    { ...named, size: 9 },
  ];
  expect(JSON.parse(await run('show', signUpId)).files).toEqual(both);
  expect(JSON.parse(await run('export')).files).toEqual(both);
  const out = join(folder(), 'out');
  expect(await run('show', signUpId, '--files', out)).toContain(join(out, '2 notes.txt'));
  expect(readFileSync(join(out, 'notes.txt'), 'utf8')).toBe('The paper.');
  expect(readFileSync(join(out, '2 notes.txt'), 'utf8')).toBe('The pass.');
  await expect(run('show', signUpId, '--files', out)).rejects.toThrow(/notes\.txt cannot be written/);
  await expect(run('show', signUpId, '--files')).rejects.toThrow(Refused);
  await run('erase', signUpId);
  expect(await outbox.store.get(signUpId)).toMatchObject({ payload: null });
});
