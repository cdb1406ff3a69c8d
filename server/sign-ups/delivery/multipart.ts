import { randomBytes } from 'node:crypto';
import type { Answers } from '../../../app/content/types.ts';
import { Encoded } from '../../content/client.ts';
import type { KeptFile } from '../parcel.ts';

/** As browsers write names (WHATWG, "multipart/form-data encoding algorithm"). */
const quoted = (name: string) => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

/** A form with files as a browser would send it. Of lists each item goes under `name[]`, as PHP reads them. */
export function multipart(answers: Answers, files: KeptFile[]): Encoded {
  // Names no sign-up: nothing but `sign_up_id` may tell one from another (the contract's "no other UUID").
  const boundary = `----pillion${randomBytes(18).toString('hex')}`;
  const open = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${more}\r\n`;
  const texts = Object.entries(answers).flatMap(([name, answer]) =>
    typeof answer === 'string'
      ? `${open(name)}\r\n${answer}\r\n`
      : answer.map((one) => `${open(`${name}[]`)}\r\n${one}\r\n`),
  );
  const parts = files.flatMap(({ input, name, type, bytes }) => [
    Buffer.from(`${open(input, `; filename="${quoted(name)}"`)}Content-Type: ${type}\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
  const chunks = [Buffer.from(texts.join('')), ...parts, Buffer.from(`--${boundary}--\r\n`)];
  return new Encoded(`multipart/form-data; boundary=${boundary}`, chunks);
}
