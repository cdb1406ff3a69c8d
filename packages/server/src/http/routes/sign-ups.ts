import type { Content } from '@pillion/content/content.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import type { Log } from '@pillion/lib/log.ts';
import type { SharedAccounts } from '@pillion/sign-ups/guards/shared-accounts.ts';
import { isSameOrigin } from '@pillion/sign-ups/same-origin.ts';
import type { SignUps } from '@pillion/sign-ups/sign-ups.ts';
import { MAX_TEXT_BYTES } from '@pillion/sign-ups/uploads/read-upload.ts';
import { createUploadSlots } from '@pillion/sign-ups/uploads/slots.ts';
import type { Context, Hono } from 'hono';
import type { Tokens } from '../../preview/tokens.ts';
import { readBody } from '../body.ts';
import type { RenderOptions } from '../document.tsx';
import type { Proxies } from '../network.ts';
import { createAdmissions } from '../sign-ups/admission.ts';
import { Responses } from '../sign-ups/responses.ts';
import { createUploadHandler } from '../sign-ups/take-upload.ts';

const URLENCODED = /^application\/x-www-form-urlencoded\b/i;
/** Media type of forms that can have files. */
const MULTIPART = /^multipart\/form-data\b/i;

interface Options {
  content: Content;
  signUps: SignUps;
  render: RenderOptions;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  proxies: Proxies;
  /** Preview tokens; `null`: no previews. */
  tokens: Tokens | null;
  /** Folder for files during the upload. */
  dataDirectory: string;
  /** Bytes of files that one network may send in an hour. */
  uploadsPerHour: number;
  /** Counts the requests of a network to all servers. */
  accounts: SharedAccounts;
  log: Log;
}

/** The fields of an urlencoded form, as `Request.formData()` gives them. */
function parseUrlencoded(text: string): FormData {
  const sent = new FormData();
  for (const [name, value] of new URLSearchParams(text)) sent.append(name, value);
  return sent;
}

const contentTypeOf = (c: Context) => c.req.header('content-type') ?? '';

/** `POST /api/sign-ups` takes a form, `GET …/token` gives its challenge, `GET …/thanks` confirms it without script. */
export function signUpRoutes(
  app: Hono,
  { content, signUps, render, proxies, tokens, dataDirectory, uploadsPerHour, accounts, log }: Options,
): void {
  const responses = new Responses({ content, signUps, render });
  const admissionFor = createAdmissions({
    ...{ content, signUps, responses, proxies, tokens, log },
    siteUrl: render.siteUrl,
    asksConsent: render.tagManager !== null,
  });
  const slots = createUploadSlots({ directory: dataDirectory, bytesPerHour: uploadsPerHour, accounts });
  const { smallerRoom } = signUps;
  const takeUpload = createUploadHandler({ admissionFor, responses, slots, smallerRoom, dataDirectory, log });

  app.post('/api/sign-ups', async (c) => {
    if (!isSameOrigin(c.req.raw, render.siteUrl))
      return responses.invalidRequest(c, 403, 'This site accepts only its own forms.');
    if (MULTIPART.test(contentTypeOf(c))) return takeUpload(c);
    if (!URLENCODED.test(contentTypeOf(c)))
      return responses.invalidRequest(c, 415, 'Send form fields, urlencoded or multipart.');
    const sent = await readBody(c, MAX_TEXT_BYTES);
    if (sent === null) return responses.invalidRequest(c, 413, 'The form is larger than 64 KB.');
    return admissionFor(c).respond(parseUrlencoded(sent.toString()));
  });

  app.get('/api/sign-ups/token', (c) => {
    const shownForMs = Number(c.req.query('shown'));
    return c.json(signUps.challenge(shownForMs), 200, CACHE.never);
  });

  app.get('/api/sign-ups/thanks', (c) => responses.thanksPage(c));
}
