import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Form, ShellContent, SignUpOutcome } from '../../app/content/types.ts';
import { readAnswers } from '../../app/sections/sign-up/rules.ts';
import type { Content } from '../content/content.ts';
import { localeFrom } from '../locales.ts';
import type { Log } from '../log.ts';
import { errorPage, signUpPage } from '../pages.ts';
import { networkOf } from '../sign-ups/guards/network.ts';
import type { Refusal } from '../sign-ups/metrics.ts';
import { isSameOrigin } from '../sign-ups/same-origin.ts';
import { formIdOf, type SignUpResult, type SignUps } from '../sign-ups/sign-ups.ts';
import { documentResponse, jsonResponse } from './answers.ts';
import type { RenderOptions } from './render.tsx';
import { remoteAddress } from './requests.ts';

/** Longest body a form may send, in bytes: ten times a long letter. Files come with a later part of the house. */
const LARGEST_BODY = 64 * 1024;

const FORM_TYPES = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/;

const REFUSALS: Record<403 | 413 | 415, Refusal> = { 403: 'foreign-origin', 413: 'too-large', 415: 'not-a-form' };

interface Options {
  content: Content;
  signUps: SignUps;
  render: RenderOptions;
  /** Whether a proxy in front says whose request it is. */
  trustProxy: boolean;
  log: Log;
}

const wantsJson = (c: Context) => (c.req.header('accept') ?? '').includes('application/json');

/** A path of our own a confirmation may lead to; anything else stays here. */
const ownPath = (url: string) => (/^\/(?![/\\])[^\\\s]*$/.test(url) ? url : null);

const confirmationOf = (form: Form): string => (form.confirmation.type === 'message' ? form.confirmation.html : '');

const redirectOf = (form: Form): string | null =>
  form.confirmation.type === 'redirect' ? ownPath(form.confirmation.url) : null;

/** `POST /api/sign-ups`, the form's own action too, and the page that thanks a visitor without script. */
export function signUpRoutes(app: Hono, { content, signUps, render, trustProxy, log }: Options): void {
  const { metrics } = signUps;
  const refuse = (c: Context, status: 403 | 413 | 415, message: string) => {
    metrics.refused(REFUSALS[status]);
    return jsonResponse(c.req.raw, { ok: false, errors: {}, message }, status);
  };

  app.post(
    '/api/sign-ups',
    bodyLimit({ maxSize: LARGEST_BODY, onError: (c) => refuse(c, 413, 'The form is larger than 64 KB.') }),
    async (c) => {
      if (!isSameOrigin(c.req.raw, render.siteUrl)) return refuse(c, 403, 'Forms are taken from this site only.');
      const type = c.req.header('content-type') ?? '';
      const sent = FORM_TYPES.test(type) ? await c.req.raw.formData().catch(() => null) : null;
      if (!sent) return refuse(c, 415, 'Send form fields, urlencoded or multipart.');
      const lang = localeFrom(String(sent.get('lang') ?? ''));
      const network = networkOfRequest(c);
      const wait = signUps.waitOf(sent, network);
      if (wait > 0) return tooMany(c, sent, { lang, network, wait });
      const [shell, form] = await Promise.all([content.shell(lang), content.form(formIdOf(sent), lang)]);
      if (!form) return noSuchForm(c, shell);
      const result = await signUps.accept(form, sent, shell.strings);
      return wantsJson(c) ? answerScript(c, result, shell) : answerDocument(c, result, shell);
    },
  );

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
        const errors = result.kind === 'invalid' ? result.errors : {};
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
