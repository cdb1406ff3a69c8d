import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import type { PreviewBoot } from '../../../shared/content.ts';
import type { Config } from '../../config/config.ts';
import type { Content } from '../../content/content.ts';
import { draftSchema, stateOf, type WirePreview } from '../../content/preview/draft.ts';
import type { Previews } from '../../content/preview/previews.ts';
import { plainText } from '../../content/text/plain-text.ts';
import { createLimit, QueueFull } from '../../lib/limit.ts';
import type { Log } from '../../lib/log.ts';
import { clearCookie, openedIn, setCookie } from '../../preview/cookie.ts';
import type { Token, Tokens } from '../../preview/tokens.ts';
import { isSameOrigin } from '../../sign-ups/same-origin.ts';
import { createPreviewResponses, UNKEPT } from '../preview/responses.ts';
import type { NoPreview } from '../preview/texts.ts';
import type { RenderOptions } from '../render.tsx';
import { jsonResponse } from '../responses.ts';
import { signedQuestions } from '../signed-questions.ts';
import type { Webhook } from '../webhook.ts';

interface Options {
  config: Config;
  content: Content;
  render: RenderOptions;
  /** `null`: there is no secret shared with WordPress, so no token can be believed. */
  tokens: Tokens | null;
  /** `null`: nobody is believed to be WordPress. */
  judge: Webhook | null;
  log: Log;
}

/** A page of five hundred blocks, its sections and its rendered content, in bytes. */
const LARGEST_DRAFT = 2_000_000;

/** The button that leaves sends one path. */
const LARGEST_LEAVE = 4_096;

/** Drafts made into pages at once, and how many more may wait: each takes the processor that visitors need too. */
const RENDERS_AT_ONCE = 2;
const RENDERS_WAITING = 16;

/** A path of this site: a second slash or a backslash would name another host. */
const OWN_PATH = /^\/(?![/\\])[^\s\p{Cc}\\]*$/u;

/** Browsers say that they only guess where somebody may go next (Fetch, `Sec-Purpose`; older ones by the other two). */
const isPrefetch = (c: Context) =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /\b(?:prefetch|prerender|preview)\b/i.test(c.req.header(name) ?? ''),
  );

const renderSchema = z.object({ token: z.string(), draft: z.unknown() });
const checkSchema = z.object({ draft: draftSchema });

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/**
 * Previews. They have addresses of their own, so that what visitors get never depends on who asks, and no cache in front
 * can mix the two (decision 038).
 */
export function previewRoutes(app: Hono, { config, content, render, tokens, judge, log }: Options): void {
  const responses = createPreviewResponses({ content, render, log });
  const isSecure = config.siteUrl.startsWith('https:');
  const { previews } = content;
  const limit = createLimit(RENDERS_AT_ONCE, [{ concurrency: RENDERS_AT_ONCE, queueSize: RENDERS_WAITING }]);
  /** Who may frame the words that say why a pane shows nothing: WordPress, as it last named itself. */
  let editor = config.content.source === 'wordpress' ? (URL.parse(config.content.url)?.origin ?? null) : null;

  const refuse = (c: Context, why: NoPreview) => responses.refusal(c.req.raw, why);

  /** Runs a handler for those who ask on purpose, where previews are set up. */
  const guarded =
    (handle: (c: Context, tokens: Tokens, previews: Previews) => Promise<Response>) =>
    (c: Context): Promise<Response> | Response => {
      if (isPrefetch(c)) return responses.nothing();
      return tokens && previews ? handle(c, tokens, previews) : refuse(c, 'no-secret');
    };

  /** The document of a draft that WordPress has handed out. */
  async function document(c: Context, previews: Previews, token: Token, post: number, wire: WirePreview) {
    const lang = await content.languageOf(wire.route.path);
    const [shown, shell] = await Promise.all([previews.show(wire), content.shell(lang)]);
    if (!shown) return refuse(c, 'unreadable');
    const isPane = token.kind === 'pane';
    const preview: PreviewBoot = {
      post,
      kind: token.kind,
      state: stateOf(wire, plainText),
      live: wire.live ?? null,
      drafts: wire.drafts,
      blocks: shown.blocks,
      ...(isPane && { token: token.text, ...(wire.editor && { editor: wire.editor }) }),
    };
    return responses.document(c.req.raw, { ...shown, shell, preview });
  }

  app.get(
    '/preview/open',
    guarded(async (c, tokens, previews) => {
      // Not asked to see anything: it must not count, and no cookie is set.
      if (c.req.method === 'HEAD') return responses.nothing();
      const token = tokens.opening(c.req.query('token') ?? '');
      if (typeof token === 'string') return refuse(c, token);
      if (token.kind === 'pane') return refuse(c, 'wrong');
      const known = openedIn(c.req.raw, tokens, isSecure);
      // Whoever has opened it may come back to its address; to anybody else it is used.
      const isOpen = known !== null && typeof known !== 'string' && known.text === token.text;
      const refused = isOpen && token.kind === 'open' ? null : await previews.open(token.post, token.text);
      if (refused) return refuse(c, refused);
      return responses.redirect(`/preview/${token.post}/`, setCookie(tokens, token, isSecure));
    }),
  );

  app.get('/preview/:post{[1-9][0-9]{0,14}}', (c) => responses.redirect(`/preview/${c.req.param('post')}/`));

  app.get(
    '/preview/:post{[1-9][0-9]{0,14}}/',
    guarded(async (c, tokens, previews) => {
      const token = openedIn(c.req.raw, tokens, isSecure);
      if (token === null) return refuse(c, 'no-cookie');
      if (typeof token === 'string') return refuse(c, token);
      const post = Number(c.req.param('post'));
      const wire = await previews.ask(post, token.text);
      return typeof wire === 'string' ? refuse(c, wire) : document(c, previews, token, post, wire);
    }),
  );

  // Without a cookie: browsers keep none for a frame of another site.
  app.get(
    '/preview/pane/:post{[1-9][0-9]{0,14}}',
    guarded(async (c, tokens, previews) => {
      if (editor) c.set('framedBy', editor);
      const token = tokens.opening(c.req.query('token') ?? '');
      if (typeof token === 'string') return refuse(c, token);
      const post = Number(c.req.param('post'));
      if (token.kind !== 'pane' || token.post !== post) return refuse(c, 'wrong');
      const wire = await previews.ask(post, token.text);
      if (typeof wire === 'string') return refuse(c, wire);
      editor = wire.editor ?? editor;
      if (editor) c.set('framedBy', editor);
      return document(c, previews, token, post, wire);
    }),
  );

  const say = (c: Context, status: number, body: object) => jsonResponse(c.req.raw, body, status, UNKEPT);
  const limited = (maxSize: number) =>
    bodyLimit({ maxSize, onError: (c) => say(c, 413, { code: 'too-large', most: maxSize }) });

  app.post('/preview/leave', limited(LARGEST_LEAVE), async (c) => {
    if (!isSameOrigin(c.req.raw, render.siteUrl)) return say(c, 403, { code: 'foreign' });
    const sent = await c.req.raw.formData().catch(() => null);
    const to = String(sent?.get('to') ?? '');
    return responses.redirect(OWN_PATH.test(to) ? to : '/', clearCookie(isSecure));
  });

  app.post('/preview/render', limited(LARGEST_DRAFT), async (c) => {
    if (!isSameOrigin(c.req.raw, render.siteUrl)) return say(c, 403, { code: 'foreign' });
    if (!tokens || !previews) return say(c, 503, { code: 'no-secret' });
    const asked = renderSchema.safeParse(parsed(await c.req.text()));
    if (!asked.success) return say(c, 422, { code: 'unreadable' });
    const token = tokens.read(asked.data.token);
    if (typeof token === 'string' || token.kind !== 'pane')
      return say(c, 401, { code: typeof token === 'string' ? token : 'wrong' });
    const draft = previews.read(asked.data.draft);
    if (!draft) return say(c, 422, { code: 'unreadable' });
    try {
      const shown = await limit.run(() => previews.show(draft));
      if (!shown) return say(c, 422, { code: 'unreadable' });
      const { page, blocks } = shown;
      return say(c, 200, { page, blocks });
    } catch (error) {
      return say(c, error instanceof QueueFull ? 429 : 500, { code: error instanceof QueueFull ? 'busy' : 'failed' });
    }
  });

  for (const path of ['/preview/leave', '/preview/render'])
    app.all(path, (c) => c.text('Nothing here takes that method.\n', 405, { ...UNKEPT, allow: 'POST' }));

  signedQuestions(app, {
    ...{ path: '/api/preview/check', judge: previews && judge },
    ...{ longest: LARGEST_DRAFT, tooLong: 'The draft is too long to be looked through.\n' },
    question: checkSchema,
    async reply({ draft }) {
      const shown = await previews?.show(draft);
      return shown ? { problems: await shown.problems() } : null;
    },
    unknown: 'no page',
  });
}

declare module 'hono' {
  interface ContextVariableMap {
    /** Origin that may show the response in a frame. Unset: nobody may. */
    framedBy?: string;
  }
}
