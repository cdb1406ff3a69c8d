import { randomBytes } from 'node:crypto';
import { Encoded } from '@pillion/content/wordpress/client.ts';
import type { Answers } from '@pillion/forms/form.ts';
import type { KeptFile } from '../outbox/payload.ts';

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
export function formBody(answers: Answers, files: KeptFile[]): Encoded {
  if (files.length > 0) return multipart(answers, files);
  const text = new URLSearchParams(pairsOf(answers)).toString();
  return new Encoded('application/x-www-form-urlencoded', [Buffer.from(text)]);
}
