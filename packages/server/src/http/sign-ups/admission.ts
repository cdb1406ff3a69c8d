import type { Content, NamedForm } from '@pillion/content/content.ts';
import { afterSending } from '@pillion/content/forms/after-sending.ts';
import type { ShellContent } from '@pillion/content/types.ts';
import type { Form } from '@pillion/forms/form.ts';
import type { Attribution } from '@pillion/lib/attribution.ts';
import type { Log } from '@pillion/lib/log.ts';
import { attributionOf, mayKeepClickIds } from '@pillion/sign-ups/attribution.ts';
import { textField } from '@pillion/sign-ups/guards/guards.ts';
import { formIdOf, type SignUps } from '@pillion/sign-ups/sign-ups.ts';
import type { SentFile } from '@pillion/sign-ups/uploads/read-upload.ts';
import { consentOf } from '@pillion/sign-ups/visitor-consent.ts';
import type { Context } from 'hono';
import { readCookie } from '../../preview/cookie.ts';
import type { Tokens } from '../../preview/tokens.ts';
import { networkOf, type Proxies } from '../network.ts';
import { remoteAddress } from '../requests.ts';
import { isFromPreview, originOf, ownReferer, previewedPost } from './origin.ts';
import type { Responses } from './responses.ts';

interface Options {
  content: Content;
  signUps: SignUps;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  proxies: Proxies;
  responses: Responses;
  siteUrl: string;
  /** Whether the site asks for consent: it has a tag manager. */
  asksConsent: boolean;
  /** Preview tokens; `null`: no previews. */
  tokens: Tokens | null;
  log: Log;
}

/** Admits one sign-up. */
export interface Admission {
  /** The sender's network, for the limits. */
  network: string;
  /**
   * Checks the limits and the form, before files are read. Later calls return the first result.
   * @returns The form; `null` if the sign-up is refused.
   */
  admit: (sent: FormData) => Promise<Form | null>;
  /**
   * Validates and stores the sign-up, or responds with the reason for its refusal.
   * @param onStored Called when the sign-up is stored.
   */
  respond: (sent: FormData, files?: SentFile[], onStored?: () => void) => Promise<Response>;
}

/** The result for one sign-up: its form, or its refusal. */
type Decision =
  | { form: Form; shell: ShellContent }
  | { form: null; refuse: (sent: FormData, attribution: Attribution | null) => Promise<Response> };

/** Admits sign-ups within the limits of their network, for forms that visitors can see. */
export function createAdmissions(options: Options) {
  const { content, signUps, responses, siteUrl, asksConsent, proxies, tokens, log } = options;
  const senders = createSenders(proxies, log);
  const isSecure = siteUrl.startsWith('https:');

  /** The preview that a form was sent from, if this browser has opened it. */
  function findOpenedPreview(request: Request): { post: number; token: string } | null {
    const post = previewedPost(request, siteUrl);
    const opened = tokens && post !== null ? readCookie(request, tokens, isSecure) : null;
    return post === null || opened === null || typeof opened === 'string' ? null : { post, token: opened.text };
  }

  /** A draft may use a form that is on no page yet. Only clients that have opened the preview may send it. */
  async function findForm(request: Request, id: number | null, lang: string): Promise<NamedForm> {
    const result = await content.formToSend(id, lang);
    if (result.form !== null || id === null) return result;
    const preview = findOpenedPreview(request);
    const form = preview && (await content.previews?.form(preview.post, preview.token, id));
    return form ? { isShown: true, form } : result;
  }

  return (c: Context): Admission => {
    const network = senders.networkFor(c);

    async function checkLimitsAndForm(sent: FormData): Promise<Decision> {
      const lang = await content.languageNamed(textField(sent, 'lang'));
      const waitMs = await signUps.countPost(sent, network);
      if (waitMs > 0)
        return {
          form: null,
          refuse: (whole, attribution) => responses.tooManyRequests(c, whole, { lang, network, waitMs, attribution }),
        };
      const [shell, { form, isShown }] = await Promise.all([
        content.shell(lang),
        findForm(c.req.raw, formIdOf(sent), lang),
      ]);
      if (form) return { form, shell };
      // A form that WordPress does not return now may be on a page.
      const isOnNoPage = isShown === false;
      return {
        form,
        refuse: () => (isOnNoPage ? responses.noSuchForm(c, shell) : responses.unavailable(c, shell)),
      };
    }

    let deciding: Promise<Decision> | null = null;
    function decideOnce(sent: FormData): Promise<Decision> {
      deciding ??= checkLimitsAndForm(sent);
      return deciding;
    }

    return {
      network,
      admit: async (sent) => (await decideOnce(sent)).form,
      async respond(sent, sentFiles = [], onStored = () => {}) {
        const decision = await decideOnce(sent);
        const { headers } = c.req.raw;
        const keepsClickIds = mayKeepClickIds(headers, asksConsent);
        const attribution = attributionOf(
          textField(sent, 'attribution'),
          ownReferer(c.req.raw, siteUrl),
          keepsClickIds,
        );
        if (decision.form === null) return decision.refuse(sent, attribution);
        const { form, shell } = decision;
        if (isFromPreview(c.req.raw, siteUrl)) {
          const isOpened = findOpenedPreview(c.req.raw) !== null;
          const rehearsed = await signUps.rehearse(form, sent, shell.strings, { sentFiles, isOpened });
          return responses.result(c, rehearsed, shell);
        }
        const { lang: language, strings } = shell;
        const result = await signUps.accept(form, sent, strings, {
          origin: originOf(c.req.raw, siteUrl, senders.addressFor(c, form), keepsClickIds),
          sender: senders.browserOf(c),
          consent: consentOf(headers),
          ...{ language, sentFiles, attribution, keepsClickIds },
        });
        if (result.kind === 'stored') onStored();
        return responses.result(c, result, shell, attribution);
      },
    };
  };
}

/** Identifies the senders of requests. */
function createSenders(proxies: Proxies, log: Log) {
  let hasWarned = false;

  /** Warns once that the limits count all visitors as the proxy. */
  function warnOnceOfProxy(): void {
    if (hasWarned) return;
    hasWarned = true;
    log('warn', 'forwarded address ignored', {
      expected: 'TRUST_PROXY says which proxies to believe: limits count per visitor',
    });
  }

  const forwardedFor = (c: Context) => c.req.header('x-forwarded-for') ?? null;

  function networkFor(c: Context): string {
    const forwarded = forwardedFor(c);
    const remote = remoteAddress(c);
    if (forwarded !== null && !proxies.isTrusted(remote)) warnOnceOfProxy();
    return networkOf(proxies.visitorOf(remote, forwarded));
  }

  return {
    networkFor,
    /** The visitor's address, if the form keeps it; else `''`. */
    addressFor: (c: Context, form: Form): string =>
      afterSending(form).keepsAddress ? (proxies.visitorOf(remoteAddress(c), forwardedFor(c)) ?? '') : '',
    /**
     * Identifies a browser without script, since visitors may press the button twice.
     * @returns `null` for programs and scripts, which repeat a sign-up only on purpose.
     */
    browserOf: (c: Context): string | null =>
      c.req.header('sec-fetch-mode') === 'navigate' ? `${networkFor(c)} ${c.req.header('user-agent') ?? ''}` : null,
  };
}
