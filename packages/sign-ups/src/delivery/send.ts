import { randomBytes } from 'node:crypto';
import { type Client, Encoded } from '@pillion/content/wordpress/client.ts';
import { PREFIXES } from '@pillion/content/wordpress/endpoints.ts';
import type { Answers } from '@pillion/forms/form.ts';
import type { KeptFile, Origin } from '../outbox/outbox.ts';
import type { Send } from './delivery.ts';
import { verdictOn } from './verdict.ts';

/** Taking an entry in sends mail on many sites, and nobody waits for it here, in milliseconds. */
const DEADLINE_MS = 10_000;
/** Files take time of their own: 16 Mbit/s at least. With the largest it stays below a lease. */
const BYTES_PER_MS = 2_000;

/** The companion plugin lets the entry be the visitor's by them, and nobody else reads them. No header has more than ASCII. */
const originHeaders = ({ page, agent, address }: Origin): Record<string, string> => ({
  'pillion-page': page,
  'pillion-agent': encodeURIComponent(agent),
  ...(address !== '' && { 'pillion-address': address }),
});

/**
 * Posts a sign-up as its form would. The same id goes with every attempt, so that a repeat is known as one.
 * @param timeoutMs Deadline of one attempt, which files lengthen; shorter than a lease.
 */
export function createSend(client: Client, timeoutMs = DEADLINE_MS): Send {
  return async ({ signUpId, formId, answers, files = [], origin = null }, signal) => {
    const fields = { ...answers, sign_up_id: signUpId };
    const size = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    const response = await client.post(`${PREFIXES.forms}/${formId}/submissions`, formBody(fields, files), {
      signal,
      headers: origin ? originHeaders(origin) : {},
      timeoutMs: timeoutMs + Math.ceil(size / BYTES_PER_MS),
    });
    return verdictOn(response, { signUpId, answers }, Date.now());
  };
}

/** Of lists each item goes under `name[]`, as PHP reads them. */
const pairsOf = (answers: Answers): [string, string][] =>
  Object.entries(answers).flatMap(([name, answer]): [string, string][] =>
    typeof answer === 'string' ? [[name, answer]] : answer.map((one) => [`${name}[]`, one]),
  );

/** As browsers write names (WHATWG, "multipart/form-data encoding algorithm"). */
const quoted = (name: string) => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

function multipart(answers: Answers, files: KeptFile[]): Encoded {
  // Not a UUID: only `sign_up_id` may tell one sign-up from another.
  const boundary = `----pillion${randomBytes(18).toString('hex')}`;
  const open = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${more}\r\n`;
  const texts = pairsOf(answers).map(([name, value]) => `${open(name)}\r\n${value}\r\n`);
  const parts = files.flatMap(({ input, name, type, bytes }) => [
    Buffer.from(`${open(input, `; filename="${quoted(name)}"`)}Content-Type: ${type}\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
  const chunks = [Buffer.from(texts.join('')), ...parts, Buffer.from(`--${boundary}--\r\n`)];
  return new Encoded(`multipart/form-data; boundary=${boundary}`, chunks);
}

/**
 * A sign-up as a browser would send it. Never JSON: what comes as JSON Gravity Forms takes for text that WordPress has
 * put backslashes before, and takes the visitor's own away (2.10.2).
 */
function formBody(answers: Answers, files: KeptFile[]): Encoded {
  if (files.length > 0) return multipart(answers, files);
  const text = new URLSearchParams(pairsOf(answers)).toString();
  return new Encoded('application/x-www-form-urlencoded', [Buffer.from(text)]);
}
