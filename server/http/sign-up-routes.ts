import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Answers, Form, ShellContent, SignUpOutcome, Strings } from '../../app/content/types.ts';
import { totalRule } from '../../app/sections/sign-up/files.ts';
import { readAnswers } from '../../app/sections/sign-up/rules.ts';
import type { Content } from '../content/content.ts';
import { localeFrom } from '../locales.ts';
import type { Log } from '../log.ts';
import { errorPage, signUpPage } from '../pages.ts';
import { networkOf } from '../sign-ups/guards/network.ts';
import type { Refusal } from '../sign-ups/metrics.ts';
import { isSameOrigin } from '../sign-ups/same-origin.ts';
import { formIdOf, type SignUpResult, type SignUps } from '../sign-ups/sign-ups.ts';
import {
  type Allowance,
  LARGEST_BODY,
  LARGEST_TEXT,
  readUpload,
  type SentFile,
} from '../sign-ups/uploads/read-upload.ts';
import { documentResponse, jsonResponse } from './answers.ts';
import type { RenderOptions } from './render.tsx';
import { remoteAddress } from './requests.ts';

const URLENCODED = /^application\/x-www-form-urlencoded\b/i;
/** How a form is sent that can have files. */
const MULTIPART = /^multipart\/form-data\b/i;

/** Forms with files that are being received at once. Each has some of the disk, and little memory. */
const MOST_UPLOADS = 64;
/** Whoever comes beyond them is asked to come back after so long, in seconds. */
const BACK_AFTER_S = 10;

const REFUSALS: Record<403 | 413 | 415, Refusal> = { 403: 'foreign-origin', 413: 'too-large', 415: 'not-a-form' };

interface Options {
  content: Content;
  signUps: SignUps;
  render: RenderOptions;
  /** Whether a proxy in front says whose request it is. */
  trustProxy: boolean;
  /** Where files lie while they are being sent. */
  dataDirectory: string;
  log: Log;
}

/** A form as it was sent, with what was found out about it on the way. */
interface Received {
  sent: FormData;
  files: SentFile[];
  /** Lets go of the files. */
  release: () => Promise<void>;
}

const typeOf = (c: Context) => c.req.header('content-type') ?? '';

/** The fields of a form that take files, by the name of their control. */
const allowancesOf = ({ fields }: Form): Map<string, Allowance> =>
  new Map(fields.flatMap(({ upload, inputs: [input] }) => (upload && input ? [[input.name, upload] as const] : [])));

/** A browser forgets which files were chosen when it shows another page. */
function forgotten({ fields }: Form, values: Answers, message: string): Record<string, string> {
  const names = fields.flatMap(({ upload, inputs }) => (upload ? inputs.map(({ name }) => name) : []));
  return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, message]] : [])));
}

const wantsJson = (c: Context) => (c.req.header('accept') ?? '').includes('application/json');

/** A path of our own a confirmation may lead to; anything else stays here. */
const ownPath = (url: string) => (/^\/(?![/\\])[^\\\s]*$/.test(url) ? url : null);

const confirmationOf = (form: Form): string => (form.confirmation.type === 'message' ? form.confirmation.html : '');

const redirectOf = (form: Form): string | null =>
  form.confirmation.type === 'redirect' ? ownPath(form.confirmation.url) : null;

/** `POST /api/sign-ups`, the form's own action too, and the page that thanks a visitor without script. */
export function signUpRoutes(app: Hono, { content, signUps, render, trustProxy, dataDirectory, log }: Options): void {
  const { metrics } = signUps;
  const refuse = (c: Context, status: 403 | 413 | 415, message: string) => {
    metrics.refused(REFUSALS[status]);
    return jsonResponse(c.req.raw, { ok: false, errors: {}, message }, status);
  };

  const limited = bodyLimit({
    maxSize: LARGEST_TEXT,
    onError: (c) => refuse(c, 413, 'The form is larger than 64 KB.'),
  });

  app.post(
    '/api/sign-ups',
    (c, next) => (MULTIPART.test(typeOf(c)) ? next() : limited(c, next)),
    async (c) => {
      if (!isSameOrigin(c.req.raw, render.siteUrl)) return refuse(c, 403, 'Forms are taken from this site only.');
      if (MULTIPART.test(typeOf(c))) return takeUpload(c);
      const sent = URLENCODED.test(typeOf(c)) ? await c.req.raw.formData().catch(() => null) : null;
      if (!sent) return refuse(c, 415, 'Send form fields, urlencoded or multipart.');
      const admission = createAdmission(c);
      await admission.ask(sent);
      return admission.answer({ sent, files: [], release: async () => {} });
    },
  );

  /** Whether a form is wanted at all. Asked before its files are read, or else when it has come whole; not twice. */
  function createAdmission(c: Context) {
    let refusal: ((sent: FormData) => Promise<Response>) | null = null;
    let asked: Promise<Form | null> | null = null;
    let shell: ShellContent | null = null;

    async function look(sent: FormData): Promise<Form | null> {
      const lang = localeFrom(String(sent.get('lang') ?? ''));
      const network = networkOfRequest(c);
      const wait = signUps.waitOf(sent, network);
      if (wait > 0) refusal = (whole) => tooMany(c, whole, { lang, network, wait });
      if (refusal) return null;
      const [strings, form] = await Promise.all([content.shell(lang), content.form(formIdOf(sent), lang)]);
      shell = strings;
      if (!form) refusal = () => noSuchForm(c, strings);
      return form;
    }

    const ask = (sent: FormData) => {
      asked ??= look(sent);
      return asked;
    };
    return {
      ask,
      async answer({ sent, files }: Received): Promise<Response> {
        const form = await ask(sent);
        if (refusal) return refusal(sent);
        if (!form || !shell) throw new Error('admitted without a form');
        const result = await signUps.accept(form, sent, shell.strings, files);
        return wantsJson(c) ? answerScript(c, result, shell) : answerDocument(c, result, shell);
      },
    };
  }

  let uploads = 0;
  /** A form with files: read as it comes, and no further than its limits. */
  async function takeUpload(c: Context): Promise<Response> {
    if (Number(c.req.header('content-length') ?? 0) > LARGEST_BODY) return sayNo(c, 413, totalRule);
    if (uploads >= MOST_UPLOADS) return sayNo(c, 503, ({ failed }) => failed);
    uploads += 1;
    try {
      return await receive(c);
    } finally {
      uploads -= 1;
    }
  }

  async function receive(c: Context): Promise<Response> {
    const { body } = c.req.raw;
    if (!body) return refuse(c, 415, 'Send form fields, urlencoded or multipart.');
    const admission = createAdmission(c);
    // What has come until then: a form of ours sends its own fields first.
    let before = new FormData();
    const admit = async (sent: FormData) => {
      before = sent;
      const form = await admission.ask(sent);
      return form && allowancesOf(form);
    };
    // Not cancelled where reading ends early: that would end the connection before the answer.
    const upload = await readUpload(body.values({ preventCancel: true }), {
      contentType: typeOf(c),
      directory: dataDirectory,
      admit,
    });
    switch (upload.kind) {
      case 'read':
        return admission.answer(upload).finally(upload.release);
      case 'refused':
        return admission.answer({ sent: before, files: [], release: async () => {} });
      case 'too-large':
        return sayNo(c, 413, totalRule);
      case 'unreadable':
        return refuse(c, 415, 'Send form fields, urlencoded or multipart.');
      case 'failed':
        log('error', 'sign-up not received', { error: upload.error });
        return sayNo(c, 503, ({ failed }) => failed);
    }
  }

  /** A form with files that was not read to its end: its fields are not known, so that it is answered in words alone. */
  async function sayNo(c: Context, status: 413 | 503, text: (texts: Strings['form']) => string): Promise<Response> {
    metrics.refused(status === 413 ? 'too-large' : 'not-stored');
    const shell = await content.shell(localeFrom(undefined));
    const message = text(shell.strings.form);
    const headers = status === 503 ? { 'retry-after': String(BACK_AFTER_S) } : {};
    if (wantsJson(c)) return jsonResponse(c.req.raw, { ok: false, errors: {}, message }, status, headers);
    const error = { ...shell.strings.error, paragraph: message };
    const saying = { ...shell, strings: { ...shell.strings, error } };
    return documentResponse(c.req.raw, errorPage('/', saying, status), saying, render, headers);
  }

  app.get('/api/sign-ups/token', (c) =>
    c.json(signUps.challenge(Number(c.req.query('shown'))), 200, { 'cache-control': 'no-store' }),
  );

  app.get('/api/sign-ups/thanks', async (c) => {
    const lang = localeFrom(c.req.query('lang'));
    const id = c.req.query('form_id');
    const [shell, form] = await Promise.all([content.shell(lang), content.form(id ? Number(id) : null, lang)]);
    const outcome: SignUpOutcome = { ok: true, confirmationHtml: form ? confirmationOf(form) : '' };
    return documentResponse(c.req.raw, signUpPage(shell, 200, outcome), shell, render);
  });

  let hasWarned = false;
  /** Says once that everybody is counted as the proxy. */
  function warnOfProxy(): void {
    if (hasWarned) return;
    hasWarned = true;
    log('warn', 'forwarded address ignored', { expected: 'TRUST_PROXY=true behind a proxy: limits count per visitor' });
  }

  function networkOfRequest(c: Context): string {
    const forwarded = c.req.header('x-forwarded-for') ?? null;
    if (forwarded !== null && !trustProxy) warnOfProxy();
    return networkOf(remoteAddress(c), trustProxy ? forwarded : null);
  }

  /** Asked to wait, a visitor keeps what she wrote: with script where it stands, without in a page of its own. */
  async function tooMany(
    c: Context,
    sent: FormData,
    { lang, network, wait }: { lang: string; network: string; wait: number },
  ): Promise<Response> {
    metrics.refused('too-many');
    const headers = { 'retry-after': String(Math.ceil(wait / 1000)) };
    const shell = await content.shell(lang);
    const message = shell.strings.form.busy;
    if (wantsJson(c)) return jsonResponse(c.req.raw, { ok: false, errors: {}, message }, 429, headers);
    if (signUps.isFlood(network)) return c.text(`${message}\n`, 429, { ...headers, 'cache-control': 'no-store' });
    const form = await content.form(formIdOf(sent), lang);
    if (!form) return documentResponse(c.req.raw, errorPage('/', shell, 429), shell, render, headers);
    const outcome: SignUpOutcome = { ok: false, form, errors: {}, values: readAnswers(form, sent), message };
    return documentResponse(c.req.raw, signUpPage(shell, 429, outcome), shell, render, headers);
  }

  function answerScript(c: Context, result: SignUpResult, { strings }: ShellContent): Promise<Response> {
    switch (result.kind) {
      case 'stored': {
        const redirect = redirectOf(result.form);
        const answer = { ok: true, confirmation: confirmationOf(result.form), ...(redirect ? { redirect } : {}) };
        return jsonResponse(c.req.raw, answer, 200, { 'cache-control': 'no-store' });
      }
      case 'invalid':
        return jsonResponse(c.req.raw, { ok: false, errors: result.errors, message: strings.form.invalid }, 422);
      case 'failed':
        return jsonResponse(c.req.raw, { ok: false, errors: {}, message: strings.form.failed }, 503);
    }
  }

  function answerDocument(c: Context, result: SignUpResult, shell: ShellContent): Promise<Response> | Response {
    switch (result.kind) {
      case 'stored': {
        const location = redirectOf(result.form) ?? `/api/sign-ups/thanks?form_id=${result.form.id}&lang=${shell.lang}`;
        return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
      }
      case 'invalid':
      case 'failed': {
        const { form, values } = result;
        const failed = result.kind === 'failed';
        const { invalid, failed: sorry } = shell.strings.form;
        const { file_again } = shell.strings.form;
        const errors = { ...forgotten(form, values, file_again), ...(result.kind === 'invalid' && result.errors) };
        const outcome: SignUpOutcome = { ok: false, form, errors, values, message: failed ? sorry : invalid };
        return documentResponse(c.req.raw, signUpPage(shell, failed ? 503 : 422, outcome), shell, render);
      }
    }
  }

  function noSuchForm(c: Context, shell: ShellContent): Promise<Response> {
    metrics.refused('no-such-form');
    const message = shell.strings.form.failed;
    return wantsJson(c)
      ? jsonResponse(c.req.raw, { ok: false, errors: {}, message }, 422)
      : documentResponse(c.req.raw, errorPage('/', shell, 422), shell, render);
  }
}
