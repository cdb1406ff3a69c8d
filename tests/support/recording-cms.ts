import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { bodyOf } from '@pillion/lib/testing/body.ts';
import { listen } from '@pillion/lib/testing/listen.ts';
import { BUNDLE } from './fixture.ts';

interface Options {
  /** Number of submissions from one fault to the next; 0: no faults. */
  faultEvery?: number;
  /** Duration of each, in milliseconds. */
  takesMs?: number;
}

const FORM = readFileSync(join(BUNDLE, 'en/forms/1.json'), 'utf8');

const respond = (response: ServerResponse, status: number, body: string, headers = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

type Fault = (response: ServerResponse, storeEntry: () => void) => void;

/** Faults: Retry-After, a broken connection, an entry without a response, an error, an HTML page. */
const FAULTS: Fault[] = [
  (response) => respond(response, 429, '{}', { 'retry-after': '1' }),
  (response) => void response.destroy(),
  (response, storeEntry) => {
    storeEntry();
    response.destroy();
  },
  (response) => respond(response, 500, '{"code":"oops"}'),
  (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Maintenance</title>'),
];

/** Starts a WordPress that stores one entry per id, and records its requests. */
export async function startRecordingCms({ faultEvery = 0, takesMs = 0 }: Options = {}) {
  const confirmed = new Set<string>();
  let turn = 0;
  let perSecond = Number.POSITIVE_INFINITY;
  let tokens = 0;
  let refilledAt = performance.now();

  /** Tokens are added each second, up to those of one second. */
  function isOverRate(): boolean {
    if (perSecond === Number.POSITIVE_INFINITY) return false;
    const now = performance.now();
    tokens = Math.min(perSecond, tokens + ((now - refilledAt) / 1000) * perSecond);
    refilledAt = now;
    if (tokens < 1) return true;
    tokens -= 1;
    return false;
  }

  const refuse: Fault = (response) => {
    cms.refused += 1;
    respond(response, 429, '{}', { 'retry-after': '1' });
  };

  function nextFault(): Fault | undefined {
    if (isOverRate()) return refuse;
    turn += 1;
    return faultEvery > 0 && turn % faultEvery === 0 ? FAULTS[(turn / faultEvery) % FAULTS.length] : undefined;
  }

  function handleSubmission(id: string, response: ServerResponse): void {
    cms.received.push(id);
    if (confirmed.has(id)) cms.confirmedAgain += 1;
    const storeEntry = () => void cms.entries.add(id);
    const fault = nextFault();
    if (fault) fault(response, storeEntry);
    else {
      storeEntry();
      confirmed.add(id);
      respond(response, 200, '{"is_valid":true,"confirmation_message":""}');
    }
  }

  const server = createServer(async (request, response) => {
    const { url: path = '' } = request;
    if (path.endsWith('/pillion/v1/destinations') && cms.destinations !== null)
      return respond(response, 200, JSON.stringify(cms.destinations));
    if (request.method !== 'POST') return respond(response, path.includes('/gf/v2/forms/') ? 200 : 404, FORM);
    const body = await bodyOf(request);
    if (body === null) return;
    const id = new URLSearchParams(body.toString('utf8')).get('sign_up_id') ?? '';
    if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
    handleSubmission(id, response);
  });
  const { url, close } = await listen(server);
  const cms = {
    /** Environment of a site that delivers here. */
    env: { CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: 'ck_a', CONTENT_SECRET: 'cs_a' },
    /** Every submission that was read completely, in order. */
    received: [] as string[],
    /** Distinct ids, each with one entry. */
    entries: new Set<string>(),
    /** Number of submissions that had been confirmed before. */
    confirmedAgain: 0,
    /** Number of submissions answered 429. */
    refused: 0,
    /** The answer of `pillion/v1/destinations`; `null`: 404. */
    destinations: null as unknown,
    /** Accepts `rate` submissions per second from now on and answers the others 429. `Infinity`: all. */
    limit(rate: number) {
      perSecond = rate;
      tokens = 0;
      refilledAt = performance.now();
    },
    stop: close,
  };
  return cms;
}
