import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  broken,
  type FakeWordpress,
  hang,
  html,
  huge,
  json,
  type Play,
  redirect,
  startFakeWordpress,
  truncated,
} from '../testing/fake-wordpress.ts';
import { createClient } from './client.ts';

let wordpress: FakeWordpress;
beforeEach(async () => {
  wordpress = await startFakeWordpress();
});
afterEach(() => wordpress.stop());

const clientOf = (options: { timeoutMs?: number; maxBytes?: number } = {}) =>
  createClient({ baseUrl: wordpress.url, key: 'ck_key', secret: 'cs_secret', ...options });

const PATH = '/wp-json/gusto/routes';

test('R20: every call sends key and secret as Basic authorization, also to public routes', async () => {
  wordpress.plays.set('*', json({}));
  const client = clientOf();
  await client.get(PATH);
  await client.post(PATH, { input_1: 'Ada' });
  await client.file('/wp-content/uploads/a.webp');
  const expected = `Basic ${Buffer.from('ck_key:cs_secret').toString('base64')}`;
  expect(wordpress.requests.map(({ headers }) => headers.authorization)).toEqual([expected, expected, expected]);
});

test('R25: a JSON response is returned as a result', async () => {
  wordpress.plays.set(PATH, json([{ id: 1 }]));
  expect(await clientOf().get(PATH)).toEqual({ ok: true, data: [{ id: 1 }] });
});

test('R27: a client without a configured timeout sets none', async () => {
  const deadlines = vi.spyOn(AbortSignal, 'timeout');
  wordpress.plays.set('*', json({}));
  await clientOf().get(PATH);
  expect(deadlines).not.toHaveBeenCalled();
  await clientOf({ timeoutMs: 60_000 }).get(PATH);
  expect(deadlines).toHaveBeenCalledExactlyOnceWith(60_000);
  deadlines.mockRestore();
});

describe('R27: every failure is returned as one of six kinds, never thrown:', () => {
  const kindOf = async (options: Parameters<typeof clientOf>[0] = {}) => {
    const answer = await clientOf(options).get(PATH);
    return answer.ok ? 'ok' : answer.error.kind;
  };

  test('network error if WordPress refuses the connection or breaks it', async () => {
    wordpress.plays.set(PATH, broken);
    expect(await kindOf()).toBe('network error');
    await wordpress.stop();
    expect(await kindOf()).toBe('network error');
  });

  test('request aborted if the caller aborts it', async () => {
    wordpress.plays.set(PATH, hang);
    const answer = await clientOf().get(PATH, { signal: AbortSignal.abort() });
    expect(answer).toMatchObject({ ok: false, error: { kind: 'request aborted', status: null } });
  });

  test('cancelled if the site shuts down', async () => {
    const client = clientOf();
    wordpress.plays.set(PATH, () => client.close());
    expect(await client.get(PATH)).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
  });

  test('bad request if WordPress rejects the key', async () => {
    wordpress.plays.set(PATH, json({ code: 'gusto_rest_authentication_error' }, 401));
    const answer = await clientOf().get(PATH);
    expect(answer).toMatchObject({ ok: false, error: { kind: 'bad request', status: 401 } });
  });

  const begun: Play = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('[');
  };

  test.each([
    ['no response in time', hang, 'timeout'],
    ['a response that begins in time and never ends', begun, 'timeout'],
    ['HTML with status 200', html, 'bad response'],
    [
      'JSON that says it is HTML',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
      'bad response',
    ],
    ['a truncated response', truncated, 'bad response'],
    ['a server error', json({}, 500), 'bad response'],
    ['a redirect', redirect('http://127.0.0.1:9/'), 'bad response'],
    ['ten megabytes', huge(10_000_000), 'bad response'],
  ] satisfies [string, Play, string][])('%s is a %s', async (_, play, kind) => {
    wordpress.plays.set(PATH, play);
    expect(await kindOf(kind === 'timeout' ? { timeoutMs: 50 } : {})).toBe(kind);
  });
});

test('a redirect is not followed, so that the key is sent to no other host', async () => {
  const elsewhere = await startFakeWordpress();
  wordpress.plays.set(PATH, redirect(`${elsewhere.url}/`));
  await clientOf().get(PATH);
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.stop();
});

test('a response above the limit is not read completely', async () => {
  const sent = new Promise<number>((resolve) => {
    wordpress.plays.set(PATH, (response, request) => {
      huge(200_000_000)(response, request);
      response.on('close', () => resolve(response.socket?.bytesWritten ?? 0));
    });
  });
  await clientOf({ maxBytes: 100_000 }).get(PATH);
  // The kernel's buffers hold some more bytes than the client reads.
  expect(await sent).toBeLessThan(20_000_000);
});

test('the connection ends if the length of a response is above the limit', async () => {
  const closed = new Promise<void>((resolve) => {
    wordpress.plays.set(PATH, (response) => {
      response.on('close', resolve);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '200000' }).write('"');
    });
  });
  const answer = await clientOf({ maxBytes: 100_000 }).fetchAny(PATH);
  expect(answer).toMatchObject({ ok: true, data: { text: '' } });
  await closed;
});

test('a slowly read file is complete even if WordPress closes the connection meanwhile', async () => {
  const bytes = Buffer.alloc(65_536, 'a');
  wordpress.plays.set(PATH, (response) =>
    response.writeHead(200, { connection: 'close', 'content-length': String(bytes.length) }).end(bytes),
  );
  const answer = await clientOf().file(PATH);
  if (!answer.ok) throw new Error(answer.error.message);
  await new Promise((resolve) => setTimeout(resolve, 200)); // simulates a slow disk
  expect((await buffer(answer.data.body)).length).toBe(bytes.length);
});

test('a broken connection during a file is an error, not a shorter file', async () => {
  wordpress.plays.set(PATH, broken);
  const answer = await clientOf().file(PATH);
  if (!answer.ok) throw new Error(answer.error.message);
  await expect(buffer(answer.data.body)).rejects.toThrow();
});

test('a connection that WordPress has closed causes no error on the next call', async () => {
  wordpress.plays.set(PATH, json({}));
  const client = clientOf();
  for (let calls = 0; calls < 5; calls += 1) {
    expect((await client.get(PATH)).ok).toBe(true);
    wordpress.dropIdle();
  }
});

test('an error names the endpoint and contains neither key nor secret', async () => {
  const answer = await clientOf().get(`${PATH}?lang=en`);
  const message = answer.ok ? '' : answer.error.message;
  expect(message).toContain(PATH);
  expect(message).not.toMatch(/ck_key|cs_secret/);
});

test('R30: a rejected sign-up is a result with WordPress’ messages', async () => {
  wordpress.plays.set(PATH, json({ is_valid: false, validation_messages: { 1: 'Required' } }, 400));
  const answer = await clientOf().post(PATH, {});
  expect(answer).toMatchObject({ ok: true, data: { status: 400 } });
});
