import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'vitest';
import { formOf } from './crowd.ts';

interface Answered {
  what: string;
  status: number | string;
}

/**
 * A request with its own client address, which nginx passes on, and so with its own connection. Open connections would
 * exceed the 512 connections of one nginx process, which then closes idle ones, and one of them may be in use.
 */
function ask(port: number, from: string, path: string, form: URLSearchParams | null): Promise<Answered> {
  const what = `${form ? 'POST' : 'GET'} ${path}`;
  return new Promise((resolve) => {
    const asked = request(
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
    asked.on('error', (error) => resolve({ what, status: error.message }));
    asked.end(form?.toString());
  });
}

const PATHS = ['/', '/privacy-policy/', '/api/page?path=%2F&lang=en', '/nowhere-at-all/'];

/** Those of `PATHS` that a cache may serve when no server is available. */
export const KNOWN = ['/', '/privacy-policy/', '/api/page?path=%2F&lang=en'];

/**
 * Visitors who request pages and send forms, one request after the other each, until they are stopped. Each page
 * address is unique, so that nginx has to request it from a server.
 */
export function startVisitors(port: number, count: number, { isSending = true, paths = PATHS } = {}) {
  const answers: Answered[] = [];
  let isOver = false;
  let asked = 0;
  const visit = async (visitor: number) => {
    while (!isOver) {
      asked += 1;
      const from = `127.1.${visitor}.${1 + (asked % 200)}`;
      const path = paths[asked % paths.length] ?? '/';
      const isForm = isSending && asked % 7 === 0;
      const address = isForm ? '/api/sign-ups' : `${path}${path.includes('?') ? '&' : '?'}n=${asked}`;
      answers.push(await ask(port, from, address, isForm ? formOf(randomUUID()) : null));
    }
  };
  const all = Array.from({ length: count }, (_, visitor) => visit(visitor + 1));
  return {
    /** Waits for this number of further responses. */
    async more(amount: number): Promise<void> {
      const from = answers.length;
      await expect.poll(() => answers.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(from + amount);
    },
    async end(): Promise<Answered[]> {
      isOver = true;
      await Promise.all(all);
      return answers;
    },
  };
}

const EXPECTED: Record<string, number> = { '/nowhere-at-all/': 404 };
const isGood = ({ what, status }: Answered) =>
  status === (EXPECTED[what.replace(/^GET /, '').replace(/\?.*/, '')] ?? 200);

/** One line for each response that is not as expected. */
export const badOf = (answers: Answered[]) =>
  answers
    .filter((answer) => !isGood(answer))
    .map(({ what, status }) => `${what}: ${status}`)
    .join('\n');
