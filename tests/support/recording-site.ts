import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { bodyOf } from '@pillion/lib/testing/body.ts';
import { listen } from '@pillion/lib/testing/listen.ts';

interface Received {
  /** The path of the request. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** The raw body, for its signature. */
  body: string;
  message: { id: number | string | null; type: string; path: string | null; status: string | null };
}

export interface RecordingSite {
  url: string;
  secret: string;
  /** Messages since the last call, oldest first. */
  received(): Received[];
  /** Its responses from now on. Default: live. */
  answer: (response: ServerResponse, message: Received) => void;
  stop(): Promise<void>;
}

/** Endpoints for WordPress' messages and questions. */
const PATHS = new Set(['/api/revalidate', '/api/preview/check']);

const SECRET = `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}`;

export const answerWith =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** 13:02:07 in London, 14:02:07 in Berlin. */
export const respondLive = answerWith(200, { ok: true, at: '2026-11-20T13:02:07.123Z', tookMs: 240 });

/**
 * The site's check of a sender: HMAC-SHA256 of `id.timestamp.body`, with the secret for a change, and with
 * a key of its endpoint for a question, which also signs the head.
 */
export function isSigned({ path, headers, body }: Received): boolean {
  const mac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();
  const shared = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const isQuestion = path !== '/api/revalidate';
  const key = isQuestion ? mac(shared, `pillion-question.${path}`) : shared;
  const signedText = `${headers['webhook-id']}.${headers['webhook-timestamp']}`;
  const isNow = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 60;
  const head = isQuestion ? mac(key, `head.${signedText}`).toString('base64') : undefined;
  return (
    isNow &&
    headers['webhook-signature'] === `v1,${mac(key, `${signedText}.${body}`).toString('base64')}` &&
    headers['pillion-signature'] === head
  );
}

/** A site on loopback that records its messages, and answers as a test says. */
export async function startRecordingSite(): Promise<RecordingSite> {
  let messages: Received[] = [];
  const server = createServer(async (request, response) => {
    const bytes = await bodyOf(request);
    if (bytes === null) return;
    const body = bytes.toString('utf8');
    if (request.method !== 'POST' || !PATHS.has(request.url ?? '')) return void response.writeHead(404).end();
    const message: Received = { path: request.url ?? '', headers: request.headers, body, message: JSON.parse(body) };
    messages.push(message);
    site.answer(response, message);
  });
  const { url, close } = await listen(server);
  const site: RecordingSite = {
    url,
    secret: SECRET,
    received() {
      const taken = messages;
      messages = [];
      return taken;
    },
    answer: respondLive,
    stop: close,
  };
  return site;
}
