import { hash, randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Form } from '@pillion/forms/form.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createGuards, type Guards, isProof, PROOF_BITS, signUpIdIn } from './guards.ts';
import { createRateLimit } from './rate-limit.ts';
import type { Use } from './shared-accounts.ts';

const SECRET = 'a secret of the tests';
const FORM = { id: 1, honeypot: 'input_9' } as Form;

let clock: number;
let guards: Guards;
const ticks = () => clock - 1_800_000_000_000;
const made = () => createGuards({ secretKey: SECRET, now: () => clock, ticks });

beforeEach(() => {
  clock = 1_800_000_000_000;
  guards = made();
});

function formData(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

/** Solves the challenge like a browser. */
function solve(token: string, id: string): string {
  for (let nonce = 0; ; nonce++) {
    const start = hash('sha256', `${token}:${id}:${nonce}`).slice(0, 8);
    if (Number.parseInt(start, 16) >>> (32 - PROOF_BITS) === 0) return `${nonce}`;
  }
}

const without = () => formData({ sign_up_id: randomUUID() });
function worked(token: string, id: string = randomUUID()): FormData {
  return formData({ sign_up_id: id, sign_up_token: token, sign_up_proof: solve(token, id) });
}

/** @returns The number of accepted posts, out of `posts` spread over a minute. */
async function letIn(posts: number, post: () => FormData, network = 'a'): Promise<number> {
  let count = 0;
  for (let sent = 0; sent < posts; sent++) {
    if ((await guards.countPost(post(), network)) === 0) count += 1;
    clock += 60_000 / posts;
  }
  return count;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory in use after garbage collection. */
function heldBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Sends posts until the network must wait. @returns How many were accepted. */
async function exhaust(network: string, post = without): Promise<number> {
  for (let sent = 0; sent < 300; sent++) if ((await guards.countPost(post(), network)) > 0) return sent;
  throw new Error('300 posts were let in at once');
}

describe('limits', () => {
  test('posts with proof of work pass during a flood without proof from the same address', async () => {
    const { token } = guards.challenge(10_000);
    expect(await letIn(300, without)).toBeLessThan(100);
    for (let post = 0; post < 60; post++) expect(await guards.countPost(worked(token), 'a')).toBe(0);
  });

  test('a proof is valid for one sign-up only, and invalid with a forged or foreign token', async () => {
    const { token } = guards.challenge(10_000);
    const id = randomUUID();
    const proof = solve(token, id);
    expect(isProof(proof, token, id)).toBe(true);
    expect(isProof(proof, token, randomUUID())).toBe(false);
    expect(isProof('', token, id)).toBe(false);
    await exhaust('a');
    const foreign = createGuards({ secretKey: 'somebody else’s', now: () => clock }).challenge(10_000).token;
    expect(await guards.countPost(worked(foreign), 'a')).toBeGreaterThan(0);
    const replayed = formData({ sign_up_id: randomUUID(), sign_up_token: token, sign_up_proof: proof });
    expect(await guards.countPost(replayed, 'a')).toBeGreaterThan(0);
  });

  test('a repeated sign-up is not counted, and passes while its network must wait', async () => {
    const again = without();
    for (let post = 0; post < 60; post++) expect(await guards.countPost(again, 'a')).toBe(0);
    expect(await letIn(20, without)).toBe(20);
    await exhaust('a');
    expect(await guards.countPost(again, 'a')).toBe(0);
    expect(await guards.countPost(again, 'b'), 'an id is known in its own network only').toBe(0);
  });

  test('at once a network may send 40 posts without proof of work, 100 with it, 60 repeats, 145 in all', async () => {
    const { token } = guards.challenge(10_000);
    const again = without();
    const first = [await exhaust('a', () => worked(token)), await guards.countPost(worked(token), 'a')];
    expect(first).toEqual([100, 600]);
    expect(await guards.countPost(again, 'a')).toBe(0);
    expect([await exhaust('a'), await exhaust('a', () => again)]).toEqual([39, 5]);
    expect([await exhaust('b'), await guards.countPost(without(), 'b')]).toEqual([40, 1_500]);
    expect([await exhaust('c', () => again), await exhaust('c')], 'first repeats').toEqual([61, 39]);
    clock += 1_500;
    expect(await exhaust('b')).toBe(1);
    for (let page = 0; page < 300; page++) expect(guards.isFlood('a')).toBe(false);
    expect([guards.isFlood('a'), guards.isFlood('b')]).toEqual([true, false]);
  });

  test('the servers together have the same limits, and count only posts that this server accepts', async () => {
    const uses: Use[] = [];
    const accounts = { take: async (use: Use) => uses.push(use), refund: async () => {} };
    guards = createGuards({ secretKey: SECRET, now: () => clock, ticks, accounts });
    const [id, windowMs] = [randomUUID(), 60_000];
    const { token } = guards.challenge(10_000);
    const posts = [formData({}), formData({ sign_up_id: id.toUpperCase() }), worked(token, id)];
    for (const [at, post] of posts.entries()) expect(await guards.countPost(post, 'a')).toBe(at + 1);
    const all = { key: 'all a', costMs: windowMs / 145, windowMs };
    const tight = { key: 'tight a', costMs: 1_500, windowMs };
    const wide = { key: 'wide a', costMs: 600, windowMs };
    const once = { key: `a ${id}`, forMs: 600_000, again: { key: 'repeats a', costMs: 1_000, windowMs } };
    expect(uses).toEqual([
      { accounts: [all, tight], once: null },
      { accounts: [all], once: { ...once, first: tight } },
      { accounts: [all], once: { ...once, first: wide } },
    ]);
    while (uses.length < 41) await guards.countPost(without(), 'a');
    await guards.countPost(without(), 'a');
    expect(uses).toHaveLength(41);
  });

  test('an id counts only if it is a UUID, in lower case', () => {
    const id = randomUUID();
    expect(signUpIdIn(formData({ sign_up_id: id.toUpperCase() }))).toBe(id);
    for (const other of ['', `${id}0`, `0${id}`, id.replace('-', '')])
      expect(signUpIdIn(formData({ sign_up_id: other }))).toBeNull();
  });

  test('memory stays bounded with any number of networks and ids', () => {
    const limit = createRateLimit(40, () => clock);
    const ask = (from: number, to: number) => {
      for (let at = from; at < to; at++) limit({ network: `n${at}`, signUpId: `id-${at}` });
    };
    ask(0, 60_000);
    const before = heldBytes();
    ask(60_000, 400_000);
    // An entry for each of them would take more than 60 MB.
    expect(heldBytes() - before).toBeLessThan(10e6);
  });
});

describe('the time trap', () => {
  const sentWith = (token: string) => guards.suspicionOf(FORM, formData({ sign_up_token: token }));

  test('a form sent 5 s after it was shown passes, even with a late first input; sent at once it is suspect', () => {
    for (const ms of [0, 2_999])
      expect(sentWith(guards.challenge(ms).token)).toBe(`sent ${ms} ms after the form was shown`);
    expect(sentWith(guards.challenge(3_000).token)).toBeNull();
    const { token } = guards.challenge(1_000);
    clock += 4_000;
    expect(sentWith(token)).toBeNull();
  });

  test('a token is valid after a restart, for several sign-ups; a forged or expired one is ignored', async () => {
    const { token } = guards.challenge(5_000);
    guards = made();
    expect([sentWith(token), sentWith(token)]).toEqual([null, null]);
    const young = guards.challenge(0).token;
    const forged = `${(clock - 60_000).toString(36)}.${young.split('.')[1]}`;
    // The same as without a token.
    expect(sentWith(forged)).toBeNull();
    clock += 2 * 86_400_000;
    expect(await guards.countPost(worked(token), 'a')).toBe(0);
    expect(sentWith(token)).toBeNull();
  });

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, 1e300])(
    'an age of %s ms gives a valid token',
    (shown) => void expect(guards.challenge(shown).token).toMatch(/^[a-z\d]+\.[\w-]{43}$/),
  );

  test('without a token only a filled honeypot is suspected', () => {
    expect(guards.suspicionOf(FORM, formData({}))).toBeNull();
    expect(guards.suspicionOf(FORM, formData({ input_9: 'https://spam.example' }))).toBe('honeypot');
  });
});
