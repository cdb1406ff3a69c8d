import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createWebhookVerifier, type SignedMessage } from './webhook.ts';

const KEY = randomBytes(24);
const SECRET = `whsec_${KEY.toString('base64')}`;
const NOW = 1_800_000_000_000;

const sign = (id: string, seconds: number | string, body: string, key = KEY) =>
  `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;

function message(more: Partial<SignedMessage> = {}, seconds = NOW / 1000): SignedMessage {
  const id = `msg_${Math.random()}`;
  const body = '{"type":"page"}';
  return { id, timestamp: String(seconds), body, signature: sign(id, seconds, body), ...more };
}

const webhook = () => createWebhookVerifier(SECRET, undefined, () => NOW);

test('a recently signed message is accepted once', async () => {
  const verifyWebhook = webhook();
  const sent = message();
  expect(await verifyWebhook(sent)).toBeNull();
  expect(await verifyWebhook(sent)).toBe('seen before');
  expect(await verifyWebhook(message())).toBeNull();
  const twice = message();
  expect(await Promise.all([verifyWebhook(twice), verifyWebhook(twice)])).toEqual([null, 'seen before']);
});

test('a message that another server has seen is rejected, and an unsigned one causes no lookup', async () => {
  const lookedUpIds: string[] = [];
  const isNew = async (id: string) => lookedUpIds.push(id) > 1;
  const verifyWebhook = createWebhookVerifier(SECRET, { isNew }, () => NOW);
  const [first, second] = [message(), message()];
  expect(await verifyWebhook(message({ signature: 'v1,' }))).toBe('wrong signature');
  expect([await verifyWebhook(first), await verifyWebhook(second), await verifyWebhook(second)]).toEqual([
    'seen before',
    null,
    'seen before',
  ]);
  expect(lookedUpIds).toEqual([first.id, second.id]);
});

test('the example of the specification is accepted', async () => {
  // standardwebhooks.com, "Signature scheme".
  const verifyWebhook = createWebhookVerifier(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    undefined,
    () => 1_614_265_330_000,
  );
  const sent = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: '1614265330',
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  expect(await verifyWebhook(sent)).toBeNull();
});

test.each([
  ['only a body', { id: undefined, timestamp: undefined, signature: undefined }, 'unsigned'],
  ['no signature', { signature: '' }, 'unsigned'],
  ['another body', { body: '{"type":"menu"}' }, 'wrong signature'],
  ['another id', { id: 'msg_other' }, 'wrong signature'],
  ['another time', { timestamp: String(NOW / 1000 + 1) }, 'wrong signature'],
  ['a signature that is not base64', { signature: 'v1,***' }, 'wrong signature'],
  ['an unknown version', { signature: 'v9,AAAA' }, 'wrong signature'],
] as const)('a message with %s is rejected', async (_, more, refusal) =>
  expect(await webhook()(message(more))).toBe(refusal),
);

test('one valid signature of two is enough, because a message has two while the secret changes', async () => {
  const id = 'msg_two';
  const seconds = NOW / 1000;
  const signature = `${sign(id, seconds, '{}', randomBytes(24))} ${sign(id, seconds, '{}')}`;
  expect(await webhook()({ id, timestamp: String(seconds), body: '{}', signature })).toBeNull();
});

test('a time more than five minutes in the past or future, and an invalid one, is rejected', async () => {
  const at = (seconds: number | string) => {
    const sent = { id: `msg_${seconds}`, timestamp: String(seconds), body: '{}' };
    return webhook()({ ...sent, signature: sign(sent.id, seconds, '{}') });
  };
  const now = NOW / 1000;
  expect(await Promise.all([now - 300, now + 300].map(at))).toEqual([null, null]);
  expect(await Promise.all([now - 301, now + 301, 'soon', '1e9', '-1'].map(at))).toEqual(Array(5).fill('too old'));
});
