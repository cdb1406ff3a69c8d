import type { Content } from '@pillion/content/content.ts';
import { afterSending, type Confirmation, GENERAL_THANKS } from '@pillion/content/forms/confirmations.ts';
import type { ShellContent, SignUpOutcome } from '@pillion/content/types.ts';
import type { Answers, Form } from '@pillion/forms/form.ts';
import { readAnswers } from '@pillion/forms/rules.ts';
import type { FormTexts } from '@pillion/forms/texts.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import type { Refusal } from '@pillion/sign-ups/metrics.ts';
import { formIdOf, type SignUpResult, type SignUps } from '@pillion/sign-ups/sign-ups.ts';
import type { Context } from 'hono';
import { type RenderOptions, unmeasured } from '../document.tsx';
import { errorPage, notFoundPage, signUpPage } from '../page-responses.ts';
import { documentResponse, jsonResponse } from '../responses.ts';
import { shownNumber } from './shown-number.ts';
import { thanksFor } from './thanks.ts';

/** Who cannot be served now is asked to come back after so long, in seconds. */
const BACK_AFTER_S = 10;

/** A visitor waits so long for what WordPress has to say to her, in milliseconds; later it says nothing new to her. */
const CONFIRMATION_WITHIN_MS = 1_000;

const NOT_A_FORM: Record<403 | 413 | 415, Refusal> = { 403: 'foreign-origin', 413: 'too-large', 415: 'not-a-form' };

const NOT_TAKEN: Record<413 | 429 | 503, Refusal> = { 413: 'too-large', 429: 'too-many', 503: 'not-stored' };

/** One visitor who has to wait. */
export interface Wait {
  lang: string;
  network: string;
  /** In milliseconds. */
  wait: number;
}

interface Options {
  content: Content;
  signUps: SignUps;
  render: RenderOptions;
}

const wantsJson = (c: Context) => (c.req.header('accept') ?? '').includes('application/json');

/** A browser forgets which files were chosen when it shows another page. */
function forgotten({ fields }: Form, values: Answers, message: string): Record<string, string> {
  const names = fields.flatMap(({ upload, inputs }) => (upload ? inputs.map(({ name }) => name) : []));
  return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, message]] : [])));
}

/** Words every response to a sign-up: JSON for a script, a page for a browser without one. Counts what is refused. */
export function createResponses({ content, signUps, render }: Options) {
  const { metrics } = signUps;

  const json = (c: Context, body: object, status: 200 | 403 | 413 | 415 | 422 | 429 | 503, headers = {}) =>
    jsonResponse(c.req.raw, body, status, headers);

  /** To what is no form of ours. Only programs read it, so it is in English and never a page. */
  function notAForm(c: Context, status: 403 | 413 | 415, message: string): Response | Promise<Response> {
    metrics.refused(NOT_A_FORM[status]);
    return json(c, { ok: false, errors: {}, message }, status);
  }

  /**
   * To a sign-up whose fields are not known, as it was not read to its end: in words alone.
   * @param known Texts in the visitor's language, where they are at hand.
   */
  async function notTaken(
    c: Context,
    status: 413 | 429 | 503,
    text: (texts: FormTexts) => string,
    { backAfterS = BACK_AFTER_S, known = null }: { backAfterS?: number; known?: ShellContent | null } = {},
  ): Promise<Response> {
    metrics.refused(NOT_TAKEN[status]);
    const shell = known ?? (await content.shell(await content.languageOf('/')));
    const message = text(shell.strings.form);
    const headers = status === 413 ? {} : { 'retry-after': String(backAfterS) };
    if (wantsJson(c)) return json(c, { ok: false, errors: {}, message }, status, headers);
    const error = { ...shell.strings.error, paragraph: message };
    const saying = { ...shell, strings: { ...shell.strings, error } };
    return documentResponse(c.req.raw, errorPage('/', saying, status), saying, render, headers);
  }

  const failed = (c: Context, known: ShellContent | null = null) =>
    notTaken(c, 503, (texts) => texts.failed, { known });

  /** To a form that stands on no page. */
  function noSuchForm(c: Context, shell: ShellContent): Promise<Response> | Response {
    metrics.refused('no-such-form');
    const message = shell.strings.form.failed;
    return wantsJson(c)
      ? json(c, { ok: false, errors: {}, message }, 422)
      : documentResponse(c.req.raw, errorPage('/', shell, 422), shell, render);
  }

  /** Asked to wait, a visitor keeps what she wrote: with script where it stands, without in a page of its own. */
  async function tooMany(c: Context, sent: FormData, { lang, network, wait }: Wait): Promise<Response> {
    metrics.refused('too-many');
    const headers = { 'retry-after': String(Math.ceil(wait / 1000)) };
    const shell = await content.shell(lang);
    const message = shell.strings.form.busy;
    if (wantsJson(c)) return json(c, { ok: false, errors: {}, message }, 429, headers);
    if (signUps.isFlood(network)) return c.text(`${message}\n`, 429, { ...headers, ...CACHE.never });
    const form = await content.form(formIdOf(sent), lang);
    if (!form) return documentResponse(c.req.raw, errorPage('/', shell, 429), shell, render, headers);
    const outcome: SignUpOutcome = { ok: false, form, errors: {}, values: readAnswers(form, sent), message };
    return documentResponse(c.req.raw, signUpPage(shell, 429, outcome), shell, render, headers);
  }

  function thanks(
    c: Context,
    confirmation: Confirmation,
    shell: ShellContent,
    { options = render, number = null }: { options?: RenderOptions; number?: number | null } = {},
  ): Promise<Response> {
    const { html: said, headers } = thanksFor(confirmation);
    const html = said + (shownNumber(number, shell, signUps.numbers)?.html ?? '');
    return documentResponse(c.req.raw, signUpPage(shell, 200, { ok: true, confirmationHtml: html }), shell, options, {
      ...CACHE.never,
      ...headers,
    });
  }

  /** What the visitor is told: where only WordPress can say it she waits a moment for its words. */
  async function confirmationFor(result: SignUpResult & { kind: 'stored' }): Promise<Confirmation> {
    const { form, signUpId, isSetAside } = result;
    const { confirmation, dependsOnAnswers, read } = afterSending(form);
    const isSaid = dependsOnAnswers && !isSetAside;
    const own = isSaid ? await signUps.confirmationOf(signUpId, CONFIRMATION_WITHIN_MS) : null;
    return own ? read(own) : confirmation;
  }

  /** A rehearsal stores nothing, so only a visitor who may see previews gets the confirmation. */
  const rehearsedFor = ({ form, isOpened }: SignUpResult & { kind: 'rehearsed' }) =>
    isOpened ? afterSending(form).confirmation : GENERAL_THANKS;

  const confirmed = (c: Context, said: Confirmation, more: object = {}) => {
    const body = said.type === 'message' ? { confirmation: said.html } : { confirmation: '', redirect: said.url };
    return json(c, { ok: true, ...body, ...more }, 200, CACHE.never);
  };

  async function resultForScript(c: Context, result: SignUpResult, shell: ShellContent): Promise<Response> {
    const { strings } = shell;
    switch (result.kind) {
      case 'stored': {
        const number = shownNumber(result.number, shell, signUps.numbers);
        return confirmed(c, await confirmationFor(result), number ? { number } : {});
      }
      case 'rehearsed':
        return confirmed(c, rehearsedFor(result));
      case 'invalid': {
        const { errors, message = strings.form.invalid } = result;
        return json(c, { ok: false, errors, message }, 422);
      }
      case 'failed':
        return json(c, { ok: false, errors: {}, message: strings.form.failed }, 503);
    }
  }

  /** The reference opens the confirmation, and finds WordPress' own words where they come a moment later. */
  function thanksAddress({ form, signUpId, number }: SignUpResult & { kind: 'stored' }, lang: string): string {
    const sealed = number === null ? '' : `&number=${signUps.numbers.sealed(number)}`;
    return `/api/sign-ups/thanks?form_id=${form.id}&lang=${lang}&for=${signUps.referenceTo(signUpId, form.id)}${sealed}`;
  }

  async function resultAsPage(c: Context, result: SignUpResult, shell: ShellContent): Promise<Response> {
    if (result.kind === 'rehearsed') return thanks(c, rehearsedFor(result), shell, { options: unmeasured(render) });
    if (result.kind === 'stored') {
      const said = await confirmationFor(result);
      const isOwnPage = said.type === 'redirect' && said.url.startsWith('/');
      const location = isOwnPage ? said.url : thanksAddress(result, shell.lang);
      return new Response(null, { status: 303, headers: { location, ...CACHE.never } });
    }
    const { form, values } = result;
    const texts = shell.strings.form;
    const isInvalid = result.kind === 'invalid';
    const errors = { ...forgotten(form, values, texts.file_again), ...(isInvalid && result.errors) };
    const message = isInvalid ? result.message || texts.invalid : texts.failed;
    const outcome: SignUpOutcome = { ok: false, form, errors, values, message };
    return documentResponse(c.req.raw, signUpPage(shell, isInvalid ? 422 : 503, outcome), shell, render);
  }

  async function confirmationBy(reference: string, form: Form): Promise<Confirmation> {
    const { confirmation, dependsOnAnswers, read } = afterSending(form);
    const said = await signUps.confirmationBy(reference, form.id);
    if (said === undefined) return GENERAL_THANKS;
    return said && dependsOnAnswers ? read(said) : confirmation;
  }

  const ownForm = async (lang: string) => ({ isShown: true, form: await content.form(null, lang) });

  /** The page that thanks a visitor without script. Without a reference it shows no form's confirmation. */
  async function thanksPage(c: Context): Promise<Response> {
    const lang = await content.languageNamed(c.req.query('lang'));
    const id = c.req.query('form_id');
    const asked = id ? content.shownForm(Number(id), lang) : ownForm(lang);
    const [shell, { isShown, form }] = await Promise.all([content.shell(lang), asked]);
    if (isShown === false)
      return documentResponse(c.req.raw, notFoundPage('/api/sign-ups/thanks', shell), shell, render);
    const number = signUps.numbers.unsealed(c.req.query('number') ?? '');
    return thanks(c, form ? await confirmationBy(c.req.query('for') ?? '', form) : GENERAL_THANKS, shell, { number });
  }

  return {
    notAForm,
    notTaken,
    failed,
    noSuchForm,
    tooMany,
    /** What became of a sign-up that was read. */
    result: (c: Context, result: SignUpResult, shell: ShellContent) =>
      wantsJson(c) ? resultForScript(c, result, shell) : resultAsPage(c, result, shell),
    thanksPage,
  };
}

export type Responses = ReturnType<typeof createResponses>;
