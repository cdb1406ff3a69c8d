import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { bodyOf } from '@pillion/lib/testing/body.ts';
import { listen } from '@pillion/lib/testing/listen.ts';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import type { RunningSite } from './site.ts';

/** Secret of the receivers' messages. */
export const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers one message. @param accept Marks it as accepted. */
type Respond = (response: ServerResponse, accept: () => void) => void;

export const acceptMessage: Respond = (response, accept) => {
  accept();
  response.writeHead(204).end();
};

/** An error, a broken connection, and an acceptance whose response is lost. */
const FAULTS: Respond[] = [
  (response) => void response.writeHead(500).end(),
  (response) => void response.destroy(),
  (response, accept) => {
    accept();
    response.destroy();
  },
];

/** Accepts two of three messages. Each third one meets the next of `FAULTS`. */
export function failEveryThird(): Respond {
  let turn = 0;
  return (response, accept) => {
    const fault = ++turn % 3 === 0 ? FAULTS[(turn / 3) % FAULTS.length] : undefined;
    (fault ?? acceptMessage)(response, accept);
  };
}

/** A receiver of signed messages, which verifies each with another implementation than the one that signs. */
export async function startDestination(initial: Respond) {
  let respond = initial;
  const received: Received[] = [];
  /** Accepted messages: `webhook-id` and the id in the body. */
  const accepted: [string, string][] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (body === null) return;
    const sent = { headers: request.headers, body: String(body) };
    received.push(sent);
    const message = new Webhook(SECRET).verify(sent.body, sent.headers as Record<string, string>) as {
      data: { sign_up_id: string };
    };
    respond(response, () => accepted.push([String(sent.headers['webhook-id']), message.data.sign_up_id]));
  });
  const { url: origin, close: stop } = await listen(server);
  const url = `${origin}/in`;
  const env = { DESTINATION_URL: url, DESTINATION_SECRET: SECRET, TRUST_PROXY: 'true' };
  const respondWith = (next: Respond) => {
    respond = next;
  };
  return { received, accepted, env, url, become: respondWith, stop };
}

/** The destination in WordPress' list. */
export const LISTED_ID = '0f9b4c1e-5a53-4d0b-9a7e-3a1f5f3f7a11';

/** The answer of a WordPress that lists one destination. */
export const destinationList = (url: string, more: Record<string, unknown> = {}) => ({
  destinations: [
    { id: LISTED_ID, name: 'CRM', url, secret: SECRET, purpose: 'none', fields: {}, enabled: true, ...more },
  ],
  removed: [],
});

/** Waits until a server has read WordPress' list. */
export const waitForDestinations = (site: RunningSite) =>
  expect.poll(site.output, { timeout: 60_000, interval: 50 }).toContain('destinations read');
