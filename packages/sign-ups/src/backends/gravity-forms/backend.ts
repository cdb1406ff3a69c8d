import { randomBytes } from 'node:crypto';
import { type Client, Encoded } from '@pillion/content/wordpress/client.ts';
import { PREFIXES } from '@pillion/content/wordpress/endpoints.ts';
import type { Answers } from '@pillion/forms/form.ts';
import type { KeptFile, Origin } from '../../outbox/outbox.ts';
import type { FormBackend } from '../backend.ts';
import { createCheck } from './check.ts';
import { createRoom } from './room.ts';
import { verdictOn } from './verdict.ts';

/** Timeout in milliseconds. On many sites WordPress sends mail before it responds, and no visitor waits for this. */
const DEADLINE_MS = 10_000;
/** Extra time for files: at least 16 Mbit/s. With the largest files the timeout stays shorter than a lease. */
const BYTES_PER_MS = 2_000;

/** Headers from which the companion plugin fills in the entry's page, browser and address. Headers are ASCII only. */
const originHeaders = ({ page, agent, address }: Origin): Record<string, string> => ({
  'pillion-page': page,
  'pillion-agent': encodeURIComponent(agent),
  ...(address !== '' && { 'pillion-address': address }),
});

/**
 * Gravity Forms, or the plugin's own forms, which answer the same requests: WordPress decides which of them it has.
 * A sign-up is sent like Gravity Forms' own form sends it.
 * @param timeoutMs Timeout of one attempt without files. It must be shorter than a lease.
 */
export const createGravityForms = (client: Client, timeoutMs = DEADLINE_MS): FormBackend => ({
  name: 'WordPress',
  check: createCheck(client),
  smallerRoom: createRoom(client),
  submit({ signUpId, formId, answers, files = [], origin = null, attribution = null }, signal) {
    // Not a header: a long campaign would exceed the limits of web servers.
    const campaign = attribution ? { pillion_attribution: JSON.stringify(attribution) } : {};
    const fields = { ...answers, sign_up_id: signUpId, ...campaign };
    const size = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    return client.post(`${PREFIXES.forms}/${formId}/submissions`, formBody(fields, files), {
      signal,
      headers: origin ? originHeaders(origin) : {},
      timeoutMs: timeoutMs + Math.ceil(size / BYTES_PER_MS),
    });
  },
  interpret: verdictOn,
  close: client.close,
});

/** Each item of a list is sent as `name[]`, which PHP reads as a list. */
const pairsOf = (answers: Answers): [string, string][] =>
  Object.entries(answers).flatMap(([name, answer]): [string, string][] =>
    typeof answer === 'string' ? [[name, answer]] : answer.map((one) => [`${name}[]`, one]),
  );

/** Escaped as in browsers (WHATWG, "multipart/form-data encoding algorithm"). */
const quoted = (name: string) => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

function multipart(answers: Answers, files: KeptFile[]): Encoded {
  // Not a UUID: `sign_up_id` must be the only one in the request.
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
 * Encodes a sign-up as a browser does. Not as JSON: Gravity Forms 2.10.2 removes backslashes from JSON values,
 * including those that the visitor typed.
 */
function formBody(answers: Answers, files: KeptFile[]): Encoded {
  if (files.length > 0) return multipart(answers, files);
  const text = new URLSearchParams(pairsOf(answers)).toString();
  return new Encoded('application/x-www-form-urlencoded', [Buffer.from(text)]);
}
