import type { Content, NamedForm } from '@pillion/content/content.ts';
import { afterSending } from '@pillion/content/forms/confirmations.ts';
import type { ShellContent } from '@pillion/content/types.ts';
import type { Form } from '@pillion/forms/form.ts';
import type { Log } from '@pillion/lib/log.ts';
import { networkOf, type Proxies } from '@pillion/lib/network.ts';
import { formIdOf, type SignUps } from '@pillion/sign-ups/sign-ups.ts';
import type { SentFile } from '@pillion/sign-ups/uploads/read-upload.ts';
import type { Context } from 'hono';
import { openedIn } from '../../preview/cookie.ts';
import type { Tokens } from '../../preview/tokens.ts';
import { remoteAddress } from '../requests.ts';
import { isFromPreview, originOf, previewedPost } from './origin.ts';
import type { Responses } from './responses.ts';

interface Options {
  content: Content;
  signUps: SignUps;
  /** Who may say whose request it is. */
  proxies: Proxies;
  responses: Responses;
  siteUrl: string;
  /** By which somebody who looks at a draft is known; `null`: there are no previews. */
  tokens: Tokens | null;
  log: Log;
}

/** One sign-up on its way in. */
export interface Admission {
  /** The network of its sender, that limits are counted by. */
  network: string;
  /**
   * Whether the form is wanted at all. It is asked before files are read, or else when the form has come whole; it judges
   * once.
   * @returns `null` where it is refused.
   */
  ask: (sent: FormData) => Promise<Form | null>;
  /**
   * Judges and keeps what came, or says why it was refused.
   * @param onStored Called once it is kept.
   */
  respond: (sent: FormData, files?: SentFile[], onStored?: () => void) => Promise<Response>;
}

/** Lets sign-ups in: by limits on their network, and by a form that visitors can see. */
export function createAdmissions({ content, signUps, responses, siteUrl, proxies, tokens, log }: Options) {
  const senders = createSenders(proxies, log);
  const isSecure = siteUrl.startsWith('https:');

  /** The preview that a form was sent from, if this browser has opened one. */
  function openedPreview(request: Request): { post: number; token: string } | null {
    const post = previewedPost(request, siteUrl);
    const opened = tokens && post !== null ? openedIn(request, tokens, isSecure) : null;
    return post === null || opened === null || typeof opened === 'string' ? null : { post, token: opened.text };
  }

  /** A draft may use a form that is on no page yet. Only a client that has opened the preview gets it. */
  async function formFor(request: Request, id: number | null, lang: string): Promise<NamedForm> {
    const named = await content.formToSend(id, lang);
    const preview = named.form === null && id !== null ? openedPreview(request) : null;
    const form = preview && id !== null ? await content.previews?.form(preview.post, preview.token, id) : null;
    return form ? { isShown: true, form } : named;
  }

  return (c: Context): Admission => {
    let refusal: ((sent: FormData) => Promise<Response> | Response) | null = null;
    let asked: Promise<Form | null> | null = null;
    let shell: ShellContent | null = null;
    const network = senders.networkFor(c);

    async function judge(sent: FormData): Promise<Form | null> {
      const lang = await content.languageNamed(String(sent.get('lang') ?? ''));
      const wait = await signUps.waitOf(sent, network);
      if (wait > 0) {
        refusal = (whole) => responses.tooMany(c, whole, { lang, network, wait });
        return null;
      }
      const [strings, named] = await Promise.all([content.shell(lang), formFor(c.req.raw, formIdOf(sent), lang)]);
      shell = strings;
      // Only what is known to stand nowhere is no form: one that cannot be had now may be in a minute.
      if (!named.form)
        refusal = () => (named.isShown === false ? responses.noSuchForm(c, strings) : responses.failed(c, strings));
      return named.form;
    }

    function ask(sent: FormData): Promise<Form | null> {
      asked ??= judge(sent);
      return asked;
    }

    return {
      network,
      ask,
      async respond(sent, sentFiles = [], onStored = () => {}) {
        const form = await ask(sent);
        if (refusal) return refusal(sent);
        if (!form || !shell) throw new Error('admitted without a form');
        if (isFromPreview(c.req.raw, siteUrl)) {
          const isOpened = openedPreview(c.req.raw) !== null;
          const rehearsed = await signUps.rehearse(form, sent, shell.strings, { sentFiles, isOpened });
          return responses.result(c, rehearsed, shell);
        }
        const origin = originOf(c.req.raw, siteUrl, senders.addressFor(c, form));
        const sender = senders.browserOf(c);
        const result = await signUps.accept(form, sent, shell.strings, { origin, sentFiles, sender });
        if (result.kind === 'stored') onStored();
        return responses.result(c, result, shell);
      },
    };
  };
}

/**
 * Tells who sends a request.
 * @param proxies Who may say whose request it is.
 */
function createSenders(proxies: Proxies, log: Log) {
  let hasWarned = false;

  /** Says once that everybody is counted as the proxy. */
  function warnOfProxy(): void {
    if (hasWarned) return;
    hasWarned = true;
    log('warn', 'forwarded address ignored', {
      expected: 'TRUST_PROXY says which proxies to believe: limits count per visitor',
    });
  }

  const forwardedFor = (c: Context) => c.req.header('x-forwarded-for') ?? null;

  /** The network that limits are counted by. */
  function networkFor(c: Context): string {
    const forwarded = forwardedFor(c);
    const remote = remoteAddress(c);
    if (forwarded !== null && !proxies.isBelieved(remote)) warnOfProxy();
    return networkOf(proxies.visitorOf(remote, forwarded));
  }

  return {
    networkFor,
    /** The visitor's address, where the form keeps it; else an empty text. */
    addressFor: (c: Context, form: Form): string =>
      afterSending(form).keepsAddress ? (proxies.visitorOf(remoteAddress(c), forwardedFor(c)) ?? '') : '',
    /**
     * Knows a visitor without script again for a moment, as one may press a button twice.
     * @returns `null` for a program or script: one that sends the same again means it.
     */
    browserOf: (c: Context): string | null =>
      c.req.header('sec-fetch-mode') === 'navigate' ? `${networkFor(c)} ${c.req.header('user-agent') ?? ''}` : null,
  };
}
