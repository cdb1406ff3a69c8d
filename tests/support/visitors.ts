import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createSignUp } from './crowd.ts';
import { sendRawRequest } from './raw-request.ts';

interface VisitorResponse {
  what: string;
  status: number | string;
}

/**
 * A request with its own client address, which nginx passes on, and so with its own connection. Open connections would
 * exceed the 512 connections of one nginx process, which then closes idle ones, and one of them may be in use.
 */
async function sendRequest(
  port: number,
  from: string,
  path: string,
  form: URLSearchParams | null,
): Promise<VisitorResponse> {
  const method = form ? 'POST' : 'GET';
  const headers = form
    ? { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    : { 'accept-encoding': 'br' };
  const options = {
    method,
    headers,
    localAddress: from,
    agent: false,
    ...(form && { body: form.toString() }),
  } as const;
  const status = await sendRawRequest(`http://127.0.0.1:${port}`, path, options).then(
    (response) => response.status,
    (error: Error) => error.message,
  );
  return { what: `${method} ${path}`, status };
}

/** Paths that a cache may serve when no server is available. */
export const CACHEABLE_PATHS = ['/', '/privacy-policy/', '/api/page?path=%2F&lang=en'];
const MISSING_PATH = '/nowhere-at-all/';

/**
 * Visitors who request pages and send forms, one request after the other each, until they are stopped. Each page
 * address is unique, so that nginx has to request it from a server.
 */
export function startVisitors(
  port: number,
  count: number,
  { isSending = true, paths = [...CACHEABLE_PATHS, MISSING_PATH] } = {},
) {
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

const isExpected = ({ what, status }: VisitorResponse) => status === (what.includes(MISSING_PATH) ? 404 : 200);

/** One line for each response that is not as expected. */
export const findUnexpected = (responses: VisitorResponse[]) =>
  responses
    .filter((answer) => !isExpected(answer))
    .map(({ what, status }) => `${what}: ${status}`)
    .join('\n');
