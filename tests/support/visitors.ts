import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'vitest';
import { createSignUp } from './crowd.ts';

interface VisitorResponse {
  what: string;
  status: number | string;
}

/**
 * A request with its own client address, which nginx passes on, and so with its own connection. Open connections would
 * exceed the 512 connections of one nginx process, which then closes idle ones, and one of them may be in use.
 */
function sendRequest(port: number, from: string, path: string, form: URLSearchParams | null): Promise<VisitorResponse> {
  const what = `${form ? 'POST' : 'GET'} ${path}`;
  return new Promise((resolve) => {
    const outgoing = request(
      {
        ...{ host: '127.0.0.1', port, path, agent: false, localAddress: from, method: form ? 'POST' : 'GET' },
        headers: form
          ? { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
          : { 'accept-encoding': 'br' },
      },
      (response) => {
        response.on('error', (error) => resolve({ what, status: error.message }));
        response.resume().on('end', () => resolve({ what, status: response.statusCode ?? 0 }));
      },
    );
    outgoing.on('error', (error) => resolve({ what, status: error.message }));
    outgoing.end(form?.toString());
  });
}

const PATHS = ['/', '/privacy-policy/', '/api/page?path=%2F&lang=en', '/nowhere-at-all/'];

/** Those of `PATHS` that a cache may serve when no server is available. */
export const CACHEABLE_PATHS = ['/', '/privacy-policy/', '/api/page?path=%2F&lang=en'];

/**
 * Visitors who request pages and send forms, one request after the other each, until they are stopped. Each page
 * address is unique, so that nginx has to request it from a server.
 */
export function startVisitors(port: number, count: number, { isSending = true, paths = PATHS } = {}) {
  const responses: VisitorResponse[] = [];
  let isOver = false;
  let requestCount = 0;
  const visit = async (visitor: number) => {
    while (!isOver) {
      requestCount += 1;
      const from = `127.1.${visitor}.${1 + (requestCount % 200)}`;
      const path = paths[requestCount % paths.length] ?? '/';
      const isForm = isSending && requestCount % 7 === 0;
      const address = isForm ? '/api/sign-ups' : `${path}${path.includes('?') ? '&' : '?'}n=${requestCount}`;
      responses.push(await sendRequest(port, from, address, isForm ? createSignUp(randomUUID()) : null));
    }
  };
  const all = Array.from({ length: count }, (_, visitor) => visit(visitor + 1));
  return {
    /** Waits for this number of further responses. */
    async more(amount: number): Promise<void> {
      const from = responses.length;
      await expect.poll(() => responses.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(from + amount);
    },
    async end(): Promise<VisitorResponse[]> {
      isOver = true;
      await Promise.all(all);
      return responses;
    },
  };
}

const EXPECTED_STATUS: Record<string, number> = { '/nowhere-at-all/': 404 };
const isExpected = ({ what, status }: VisitorResponse) =>
  status === (EXPECTED_STATUS[what.replace(/^GET /, '').replace(/\?.*/, '')] ?? 200);

/** One line for each response that is not as expected. */
export const findUnexpected = (responses: VisitorResponse[]) =>
  responses
    .filter((answer) => !isExpected(answer))
    .map(({ what, status }) => `${what}: ${status}`)
    .join('\n');
