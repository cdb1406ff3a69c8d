import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { formOf, send } from '../support/crowd.ts';
import { keptSignUps } from '../support/sign-ups.ts';
import { startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

const { undo, folder } = undoAfterEach();

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

/** Longer than a lease, and shorter than the age at which a receiver refuses a signature. */
const LEASE_OVER_MS = 60_000;

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers to one sign-up, in order; the last one repeats. */
type Plays = ((response: ServerResponse) => void)[];

const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();

/** A receiver with answers by the sign-up's id. */
async function startReceiver(plays: Map<string, Plays>) {
  const received: Received[] = [];
  const by = (id: string) => received.filter(({ headers }) => headers['webhook-id'] === id);
  const server = createServer(async (request, response) => {
    const id = String(request.headers['webhook-id']);
    const body = (await buffer(request)).toString('utf8');
    received.push({ path: request.url ?? '', headers: request.headers, body });
    const own = plays.get(id) ?? [status(204)];
    own[Math.min(by(id).length, own.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?token=a-secret-in-the-address`;
  return { received, by, env: { FORM_WEBHOOK_URL: url, FORM_WEBHOOK_SECRET: SECRET, TRUST_PROXY: 'true' } };
}

/** Verified by another implementation than the one that signs. */
const verified = ({ headers, body }: Received) =>
  new Webhook(SECRET).verify(body, headers as Record<string, string>) as { data: { sign_up_id: string } };

const stateOf = async (data: string, id: string) => (await keptSignUps(data)).find((one) => one.id === id);

test('a sign-up whose server dies before the receiver answers is sent again, signed, under the same id', async () => {
  const id = randomUUID();
  const receiver = await startReceiver(new Map([[id, [() => {}, status(200)]]]));
  const data = folder();
  const site = await startSite({ DATA_DIR: data, ...receiver.env });
  expect((await send(site.url, formOf(id))).status).toBe(200);
  await expect.poll(() => receiver.by(id).length).toBe(1);
  await site.stop('SIGKILL');
  expect(await stateOf(data, id)).toMatchObject({ state: 'leased' });

  const again = await startSite({ DATA_DIR: data, ...receiver.env });
  undo(() => again.stop());
  await again.forward(LEASE_OVER_MS);
  await expect.poll(async () => (await stateOf(data, id))?.state, { timeout: 10_000 }).toBe('delivered');
  const [first, second] = receiver.by(id);
  expect(second?.body).toBe(first?.body);
  expect(verified(first as Received)).toEqual(verified(second as Received));
  expect(verified(first as Received)).toMatchObject({
    type: 'sign_up.created',
    data: { sign_up_id: id, form_id: 1, answers: { input_2: 'ada@example.org' }, files: [] },
  });
  expect(site.output() + again.output()).not.toMatch(/whsec_|a-secret-in-the-address|ada@/);
});
