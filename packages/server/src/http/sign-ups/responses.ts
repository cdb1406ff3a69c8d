import type { Content } from '@pillion/content/content.ts';
import { afterSending, type Confirmation, GENERAL_THANKS } from '@pillion/content/forms/after-sending.ts';
import type { Page, ShellContent, SignUpOutcome } from '@pillion/content/types.ts';
import type { Answers, Form } from '@pillion/forms/form.ts';
import { readAnswers } from '@pillion/forms/rules.ts';
import type { FormTexts } from '@pillion/forms/texts.ts';
import type { Attribution } from '@pillion/lib/attribution.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { escapeMarkup } from '@pillion/lib/escape.ts';
import type { Refusal } from '@pillion/sign-ups/metrics.ts';
import type { SignUpNumbers } from '@pillion/sign-ups/sign-up-number.ts';
import { formIdOf, type SignUpResult, type SignUps } from '@pillion/sign-ups/sign-ups.ts';
import type { Context } from 'hono';
import { type RenderOptions, withoutAnalytics } from '../document.tsx';
import { errorPage, notFoundPage, signUpPage, withErrorTexts } from '../page-responses.ts';
import { documentResponse, jsonResponse } from '../responses.ts';

/** `Retry-After` of a sign-up that cannot be taken now, in seconds. */
const RETRY_AFTER_S = 10;

/** Longest time that a visitor waits for a confirmation from WordPress, in milliseconds. */
const CONFIRMATION_TIMEOUT_MS = 1_000;

const INVALID_REQUEST_REASONS: Record<403 | 413 | 415, Refusal> = {
  403: 'foreign-origin',
  413: 'too-large',
  415: 'not-a-form',
};

const UNREAD_REASONS: Record<413 | 429 | 503, Refusal> = { 413: 'too-large', 429: 'too-many', 503: 'not-stored' };

/** A sign-up over the limit of its network. */
export interface RateLimited {
  lang: string;
  network: string;
  /** In milliseconds. */
  waitMs: number;
  /** The campaign, for the next try. */
  attribution: Attribution | null;
}

interface Options {
  content: Content;
  signUps: SignUps;
  render: RenderOptions;
}

const wantsJson = (c: Context) => (c.req.header('accept') ?? '').includes('application/json');

/** The campaign as a field of the page, whose address has no campaign. */
const attributionField = (attribution: Attribution | null) =>
  attribution && { attribution: JSON.stringify(attribution) };

/** Errors at the fields with files, since a browser forgets the chosen files when it shows another page. */
function errorsOfForgottenFiles({ fields }: Form, values: Answers, message: string): Record<string, string> {
  const names = fields.flatMap(({ upload, inputs }) => (upload ? inputs.map(({ name }) => name) : []));
  return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, message]] : [])));
}

/** Makes the responses to sign-ups: JSON for scripts, pages for browsers without script. Counts refused sign-ups. */
export class Responses {
  readonly #content: Content;
  readonly #signUps: SignUps;
  readonly #render: RenderOptions;

  constructor({ content, signUps, render }: Options) {
    this.#content = content;
    this.#signUps = signUps;
    this.#render = render;
  }

  /** Response to a request that is not a form of this site. Only programs get it, so it is English text in JSON. */
  invalidRequest(c: Context, status: 403 | 413 | 415, message: string): Promise<Response> {
    this.#signUps.metrics.refused(INVALID_REQUEST_REASONS[status]);
    return json(c, { ok: false, errors: {}, message }, status);
  }

  /**
   * Response to a sign-up that was not read to its end. It has only a message, as the form is not known.
   * @param known Texts in the visitor's language, if they are loaded already.
   */
  async rejectUnread(
    c: Context,
    status: 413 | 429 | 503,
    text: (texts: FormTexts) => string,
    { retryAfterS = RETRY_AFTER_S, known = null }: { retryAfterS?: number; known?: ShellContent | null } = {},
  ): Promise<Response> {
    this.#signUps.metrics.refused(UNREAD_REASONS[status]);
    const shell = known ?? (await this.#content.shell(await this.#content.languageOf('/')));
    const message = text(shell.strings.form);
    const headers = status === 413 ? {} : { 'retry-after': String(retryAfterS) };
    if (wantsJson(c)) return json(c, { ok: false, errors: {}, message }, status, headers);
    const shellWithMessage = withErrorTexts(shell, { paragraph: message });
    return this.#page(c, errorPage('/', shellWithMessage, status), shellWithMessage, headers);
  }

  unavailable(c: Context, known: ShellContent | null = null): Promise<Response> {
    return this.rejectUnread(c, 503, (texts) => texts.failed, { known });
  }

  /** Response to a form that is on no page. */
  noSuchForm(c: Context, shell: ShellContent): Promise<Response> {
    this.#signUps.metrics.refused('no-such-form');
    const message = shell.strings.form.failed;
    return wantsJson(c)
      ? json(c, { ok: false, errors: {}, message }, 422)
      : this.#page(c, errorPage('/', shell, 422), shell);
  }

  /**
   * Asks a visitor to wait. Scripts leave the form as it is. Without script, the page shows the form with the answers
   * again, except the fields after the first file, which the server has not read.
   */
  async tooManyRequests(
    c: Context,
    sent: FormData,
    { lang, network, waitMs, attribution }: RateLimited,
  ): Promise<Response> {
    this.#signUps.metrics.refused('too-many');
    const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
    const shell = await this.#content.shell(lang);
    const message = shell.strings.form.busy;
    if (wantsJson(c)) return json(c, { ok: false, errors: {}, message }, 429, headers);
    if (this.#signUps.isFlood(network)) return c.text(`${message}\n`, 429, { ...headers, ...CACHE.never });
    const form = await this.#content.form(formIdOf(sent), lang);
    if (!form) return this.#page(c, errorPage('/', shell, 429), shell, headers);
    const values = readAnswers(form, sent);
    const outcome: SignUpOutcome = { ok: false, form, errors: {}, values, message, ...attributionField(attribution) };
    return this.#page(c, signUpPage(shell, 429, outcome), shell, headers);
  }

  /** Response to a sign-up that was read. */
  result(
    c: Context,
    result: SignUpResult,
    shell: ShellContent,
    attribution: Attribution | null = null,
  ): Promise<Response> {
    return wantsJson(c) ? this.#resultForScript(c, result, shell) : this.#resultAsPage(c, result, shell, attribution);
  }

  /** The confirmation page for browsers without script. Without a valid reference it shows a general text. */
  async thanksPage(c: Context): Promise<Response> {
    const lang = await this.#content.languageNamed(c.req.query('lang'));
    const id = c.req.query('form_id');
    const finding = id ? this.#content.shownForm(Number(id), lang) : this.#content.formToSend(null, lang);
    const [shell, { isShown, form }] = await Promise.all([this.#content.shell(lang), finding]);
    if (isShown === false) return this.#page(c, notFoundPage('/api/sign-ups/thanks', shell), shell);
    const number = this.#signUps.numbers.readSigned(c.req.query('number') ?? '');
    const confirmation = form ? await this.#confirmationByReference(c.req.query('for') ?? '', form) : GENERAL_THANKS;
    return this.#thanks(c, confirmation, shell, { number });
  }

  #page(c: Context, page: Page, shell: ShellContent, headers = {}, render = this.#render): Promise<Response> {
    return documentResponse(c.req.raw, page, shell, render, headers);
  }

  /** @param number The visitor's number; `null`: not known. */
  #thanks(
    c: Context,
    confirmation: Confirmation,
    shell: ShellContent,
    { render = this.#render, number = null }: { render?: RenderOptions; number?: number | null } = {},
  ): Promise<Response> {
    const { html, headers } = renderConfirmation(confirmation, shell);
    const numberHtml = renderNumber(number, shell, this.#signUps.numbers)?.html ?? '';
    const page = signUpPage(shell, 200, { ok: true, confirmationHtml: html + numberHtml });
    return this.#page(c, page, shell, { ...CACHE.never, ...headers }, render);
  }

  async #resultForScript(c: Context, result: SignUpResult, shell: ShellContent): Promise<Response> {
    const { strings } = shell;
    switch (result.kind) {
      case 'stored': {
        const number = renderNumber(result.number, shell, this.#signUps.numbers);
        return confirmationJson(c, await this.#confirmationFor(result), shell, number ? { number } : {});
      }
      case 'rehearsed':
        return confirmationJson(c, confirmationOfRehearsal(result), shell);
      case 'invalid': {
        const { errors, message = strings.form.invalid } = result;
        return json(c, { ok: false, errors, message }, 422);
      }
      case 'failed':
        return json(c, { ok: false, errors: {}, message: strings.form.failed }, 503);
    }
  }

  async #resultAsPage(
    c: Context,
    result: SignUpResult,
    shell: ShellContent,
    attribution: Attribution | null,
  ): Promise<Response> {
    if (result.kind === 'rehearsed')
      return this.#thanks(c, confirmationOfRehearsal(result), shell, { render: withoutAnalytics(this.#render) });
    if (result.kind === 'stored') {
      const confirmed = await this.#confirmationFor(result);
      const isOwnPage = confirmed.type === 'redirect' && confirmed.url.startsWith('/');
      const location = isOwnPage ? confirmed.url : this.#thanksAddress(result, shell.lang);
      return new Response(null, { status: 303, headers: { location, ...CACHE.never } });
    }
    const { form, values } = result;
    const texts = shell.strings.form;
    const isInvalid = result.kind === 'invalid';
    const errors = { ...errorsOfForgottenFiles(form, values, texts.file_again), ...(isInvalid && result.errors) };
    const message = isInvalid ? result.message || texts.invalid : texts.failed;
    const outcome: SignUpOutcome = { ok: false, form, errors, values, message, ...attributionField(attribution) };
    return this.#page(c, signUpPage(shell, isInvalid ? 422 : 503, outcome), shell);
  }

  /** The confirmation. If it depends on the answers, only WordPress can make it, and the visitor waits for it. */
  async #confirmationFor(result: SignUpResult & { kind: 'stored' }): Promise<Confirmation> {
    const { form, signUpId, isSetAside } = result;
    const { confirmation, dependsOnAnswers, read } = afterSending(form);
    // A sign-up that is set aside is not delivered, so WordPress makes no confirmation of it.
    if (!dependsOnAnswers || isSetAside) return confirmation;
    const fromBackend = await this.#signUps.confirmationOf(signUpId, CONFIRMATION_TIMEOUT_MS);
    return fromBackend ? read(fromBackend) : confirmation;
  }

  /** The confirmation of the sign-up that a reference names; a general text if it names no sign-up of this form. */
  async #confirmationByReference(reference: string, form: Form): Promise<Confirmation> {
    const { confirmation, dependsOnAnswers, read } = afterSending(form);
    const fromBackend = await this.#signUps.confirmationByReference(reference, form.id);
    if (fromBackend === undefined) return GENERAL_THANKS;
    return fromBackend && dependsOnAnswers ? read(fromBackend) : confirmation;
  }

  /** The reference (`for`) opens the confirmation, and finds WordPress' text even if it arrives after the redirect. */
  #thanksAddress({ form, signUpId, number }: SignUpResult & { kind: 'stored' }, lang: string): string {
    const signedNumber = number === null ? '' : `&number=${this.#signUps.numbers.sign(number)}`;
    return `/api/sign-ups/thanks?form_id=${form.id}&lang=${lang}&for=${this.#signUps.referenceTo(signUpId, form.id)}${signedNumber}`;
  }
}

const json = (c: Context, body: object, status: 200 | 403 | 413 | 415 | 422 | 429 | 503, headers = {}) =>
  jsonResponse(c.req.raw, body, status, headers);

/** Used if a form's confirmation is empty, or empty without the values that only WordPress can fill in. */
const generalThanksHtml = ({ strings }: ShellContent) => `<p>${escapeMarkup(strings.form.thanks)}</p>`;

const confirmationJson = (c: Context, confirmation: Confirmation, shell: ShellContent, more: object = {}) => {
  const redirect = confirmation.type !== 'message' && { redirect: confirmation.url };
  return json(
    c,
    { ok: true, confirmation: renderConfirmation(confirmation, shell).html, ...redirect, ...more },
    200,
    CACHE.never,
  );
};

/** A rehearsal stores nothing, so only a visitor who may see previews gets the confirmation. */
const confirmationOfRehearsal = ({ form, isOpened }: SignUpResult & { kind: 'rehearsed' }) =>
  isOpened ? afterSending(form).confirmation : GENERAL_THANKS;

/**
 * The confirmation as markup. The page itself forwards the browser to another host: the site's policy (`form-action`)
 * forbids that a form is redirected there.
 */
function renderConfirmation(
  confirmation: Confirmation,
  shell: ShellContent,
): { html: string; headers: Record<string, string> } {
  if (confirmation.type === 'message') return { html: confirmation.html || generalThanksHtml(shell), headers: {} };
  const { url } = confirmation;
  const hostAndPath = url.replace(/^https?:\/\//, '').replace(/[?#].*/s, '');
  const link = `<p><a href="${escapeMarkup(url)}" rel="noopener">${escapeMarkup(hostAndPath)}</a></p>`;
  return { html: generalThanksHtml(shell) + link, headers: { refresh: `0; url=${url}` } };
}

/** A visitor's sign-up number, and its markup: the site's picture, if it has one, and text. */
interface ShownNumber {
  number: number;
  html: string;
}

/**
 * @param count The number of this sign-up on this site; `null`: not known.
 * @returns `null` if the number is not known or the editor shows no number.
 */
function renderNumber(
  count: number | null,
  { lang, strings: { sign_up_number } }: ShellContent,
  { picture }: Pick<SignUpNumbers, 'picture'>,
): ShownNumber | null {
  if (count === null || sign_up_number.from === null) return null;
  const number = sign_up_number.from + count;
  const shown = `<b>${number.toLocaleString(lang)}</b>`;
  const words = escapeMarkup(sign_up_number.text).replaceAll('{number}', shown);
  return { number, html: `<div class="form-number">${picture(number)}<p>${words}</p></div>` };
}
