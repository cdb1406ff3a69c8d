import type { Content } from '@pillion/content/content.ts';
import { MOST_CHARACTERS, stateOf, type WirePreview } from '@pillion/content/preview/draft.ts';
import type { Previews } from '@pillion/content/preview/previews.ts';
import { plainText } from '@pillion/content/text/plain-text.ts';
import type { PreviewBoot } from '@pillion/content/types.ts';
import { createLimit, QueueFull } from '@pillion/lib/limit.ts';
import type { Log } from '@pillion/lib/log.ts';
import { isSameOrigin } from '@pillion/sign-ups/same-origin.ts';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Config } from '../../config/config.ts';
import { createNewestFirst } from '../../newest-first.ts';
import { clearCookie, openedIn, setCookie } from '../../preview/cookie.ts';
import { PREVIEW_TOKEN, type Token, type Tokens } from '../../preview/tokens.ts';
import type { RenderOptions } from '../document.tsx';
import { createPreviewResponses, UNKEPT } from '../preview/responses.ts';
import type { NoPreview } from '../preview/texts.ts';
import { jsonResponse } from '../responses.ts';
import { type QuestionOptions, signedQuestions } from '../signed-questions.ts';

interface Options {
  config: Config;
  content: Content;
  render: RenderOptions;
  /** `null`: without a secret shared with WordPress, tokens cannot be verified. */
  tokens: Tokens | null;
  questions: QuestionOptions;
  log: Log;
}

/** In bytes: a page of 500 blocks with its sections and rendered content. */
const LARGEST_DRAFT = 2_000_000;

/** In bytes. The button that closes a preview sends one path. */
const LARGEST_LEAVE = 4_096;

/**
 * Drafts rendered at once, and drafts that may wait: each uses the processor that visitors need too. There is room for
 * the 20 requests that WordPress may answer at once (`previews.ts`) and a dozen typed drafts.
 */
const RENDERS_AT_ONCE = 2;
const RENDERS_WAITING = 32;

/** A path of this site: a second slash or a backslash would name another host. */
const OWN_PATH = /^\/(?![/\\])[^\s\p{Cc}\\]*$/u;

/** Whether a browser prefetches the address (Fetch, `Sec-Purpose`; older browsers send the other headers). */
const isPrefetch = (c: Context) =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /\b(?:prefetch|prerender|preview)\b/i.test(c.req.header(name) ?? ''),
  );

/** In seconds, for drafts that were refused because too many wait. */
const RETRY_AFTER = { 'retry-after': '2' };

type Handler = (c: Context, tokens: Tokens, previews: Previews) => Promise<Response>;

/** What the routes share: the options, and the ways to respond. */
function toolsFor({ config, content, render, tokens, questions, log }: Options) {
  const responses = createPreviewResponses({ content, render, log });
  const { previews } = content;
  const { refused: noteRefusal } = questions;
  const limit = createLimit(RENDERS_AT_ONCE, [{ concurrency: RENDERS_AT_ONCE, queueSize: RENDERS_WAITING }]);

  /** Refuses with a page, for people. */
  function refuse(c: Context, why: NoPreview) {
    noteRefusal('preview', why);
    return responses.refusal(c.req.raw, why);
  }

  /** Responds with JSON that no cache stores. */
  const respond = (c: Context, status: number, body: object, headers = {}) =>
    jsonResponse(c.req.raw, body, status, { ...UNKEPT, ...headers });

  /** Refuses with a code, for scripts. @param details `most`: the limit that was exceeded. */
  function refuseWithCode(c: Context, status: number, code: string, details: { most?: number; headers?: object } = {}) {
    const { most, headers } = details;
    noteRefusal('preview', code);
    return respond(c, status, most ? { code, most } : { code }, headers);
  }

  /** Runs `work` when there is room; `busy` if too many wait. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T | 'busy'> {
    try {
      return await limit.run(work);
    } catch (error) {
      if (error instanceof QueueFull) return 'busy';
      throw error;
    }
  }

  /** Makes a handler that runs only if previews are set up and the request is no prefetch. */
  const guarded =
    (handle: Handler) =>
    (c: Context): Promise<Response> | Response => {
      if (isPrefetch(c)) return responses.nothing();
      return tokens && previews ? handle(c, tokens, previews) : refuse(c, 'no-secret');
    };

  const isSecure = config.siteUrl.startsWith('https:');
  const shared = { content, render, tokens, previews, questions, responses, isSecure };
  return { ...shared, refuse, respond, refuseWithCode, inTurn, guarded };
}

type Tools = ReturnType<typeof toolsFor>;

/**
 * Previews. They have separate addresses, so that public responses never depend on the client and no cache can mix the
 * two (decision 038).
 */
export function previewRoutes(app: Hono, options: Options): void {
  const tools = toolsFor(options);
  openRoute(app, tools);
  pageRoute(app, tools);
  paneRoute(app, tools, options.config);
  leaveRoute(app, tools);
  renderRoute(app, tools);
  for (const path of ['/preview/leave', '/preview/render'])
    app.all(path, (c) => c.text('This method is not allowed here.\n', 405, { ...UNKEPT, allow: 'POST' }));
  checkRoute(app, tools);
}

function openRoute(app: Hono, { guarded, isSecure, refuse, responses }: Tools): void {
  app.get(
    '/preview/open',
    guarded(async (c, tokens, previews) => {
      // HEAD must not use up the token, and sets no cookie.
      if (c.req.method === 'HEAD') return responses.nothing();
      const token = tokens.opening(c.req.query('token') ?? '');
      if (typeof token === 'string') return refuse(c, token);
      if (token.kind === 'pane') return refuse(c, 'wrong');
      const known = openedIn(c.req.raw, tokens, isSecure);
      // The browser that opened the token may open its address again; for all others it is used.
      const isOpen = known !== null && typeof known !== 'string' && known.text === token.text;
      const refused = isOpen && token.kind === 'open' ? null : await previews.open(token.post, token.text);
      if (refused) return refuse(c, refused);
      return responses.redirect(`/preview/${token.post}/`, setCookie(tokens, token, isSecure));
    }),
  );
}

/** A draft in a separate tab, identified by the cookie. */
function pageRoute(app: Hono, tools: Tools): void {
  const { guarded, isSecure, refuse, responses } = tools;

  app.get('/preview/:post{[1-9][0-9]{0,14}}', (c) => responses.redirect(`/preview/${c.req.param('post')}/`));

  app.get(
    '/preview/:post{[1-9][0-9]{0,14}}/',
    guarded(async (c, tokens, previews) => {
      const token = openedIn(c.req.raw, tokens, isSecure);
      if (token === null) return refuse(c, 'no-cookie');
      if (typeof token === 'string') return refuse(c, token);
      const post = Number(c.req.param('post'));
      const wire = await previews.ask(post, token.text);
      return typeof wire === 'string' ? refuse(c, wire) : document(tools, c, previews, token, post, wire);
    }),
  );
}

/** A draft in the pane next to the block editor. */
function paneRoute(app: Hono, tools: Tools, config: Config): void {
  const { guarded, refuse } = tools;
  /** Origin of WordPress, as it last reported it, which may frame the page that says why a pane shows nothing. */
  let editor = config.content.source === 'wordpress' ? (URL.parse(config.content.url)?.origin ?? null) : null;

  // Without a cookie, as browsers store none for a frame of another site.
  app.get(
    '/preview/pane/:post{[1-9][0-9]{0,14}}',
    guarded(async (c, tokens, previews) => {
      const token = tokens.opening(c.req.query('token') ?? '');
      // Only clients with a signed token learn the address of WordPress.
      if (editor && token !== 'wrong') c.set('framedBy', editor);
      if (typeof token === 'string') return refuse(c, token);
      const post = Number(c.req.param('post'));
      if (token.kind !== 'pane' || token.post !== post) return refuse(c, 'wrong');
      const wire = await previews.ask(post, token.text);
      if (typeof wire === 'string') return refuse(c, wire);
      editor = wire.editor ?? editor;
      if (editor) c.set('framedBy', editor);
      return document(tools, c, previews, token, post, wire);
    }),
  );
}

/** Renders a draft that WordPress has returned. */
async function document(
  { content, inTurn, refuse, responses }: Tools,
  c: Context,
  previews: Previews,
  token: Token,
  post: number,
  wire: WirePreview,
) {
  const lang = await content.languageOf(wire.route.path);
  const [shown, shell] = await Promise.all([inTurn(() => previews.show(wire)), content.shell(lang)]);
  if (shown === 'busy') return refuse(c, shown);
  if (typeof shown === 'string') return refuse(c, 'unreadable');
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

function leaveRoute(app: Hono, { isSecure, render, responses, refuseWithCode }: Tools): void {
  const leaveLimit = bodyLimit({
    maxSize: LARGEST_LEAVE,
    onError: (c) => refuseWithCode(c, 413, 'too-large', { most: LARGEST_LEAVE }),
  });
  app.post('/preview/leave', leaveLimit, async (c) => {
    if (!isSameOrigin(c.req.raw, render.siteUrl)) return refuseWithCode(c, 403, 'foreign');
    const sent = await c.req.raw.formData().catch(() => null);
    const to = String(sent?.get('to') ?? '');
    return responses.redirect(OWN_PATH.test(to) ? to : '/', clearCookie(isSecure));
  });
}

function renderRoute(app: Hono, tools: Tools): void {
  const { previews, questions, render, refuseWithCode, tokens } = tools;
  const ofUser = createNewestFirst();

  app.post('/preview/render', async (c) => {
    if (!isSameOrigin(c.req.raw, render.siteUrl)) return refuseWithCode(c, 403, 'foreign');
    if (!tokens || !previews) return refuseWithCode(c, 503, 'no-secret');
    const token = tokens.read(c.req.header(PREVIEW_TOKEN) ?? '');
    if (typeof token === 'string' || token.kind !== 'pane')
      return refuseWithCode(c, 401, typeof token === 'string' ? token : 'wrong');
    const done = await ofUser.run(token.user, () =>
      questions.bodies.withBody(c, LARGEST_DRAFT, (body) => rendered(tools, c, previews, body)),
    );
    switch (done) {
      case 'too long':
        return refuseWithCode(c, 413, 'too-large', { most: LARGEST_DRAFT });
      case 'too slow':
        return refuseWithCode(c, 408, 'slow', { headers: { connection: 'close' } });
      case 'busy':
        return refuseWithCode(c, 503, 'busy', { headers: RETRY_AFTER });
      case 'replaced':
        return refuseWithCode(c, 429, 'replaced', { headers: RETRY_AFTER });
      default:
        return done;
    }
  });
}

/** Renders a typed draft, or responds with the reason why not. */
async function rendered(
  { inTurn, respond, refuseWithCode }: Tools,
  c: Context,
  previews: Previews,
  body: Buffer,
): Promise<Response> {
  const shown = await inTurn(() => previews.showTyped(body)).catch(() => 'failed' as const);
  switch (shown) {
    case 'failed':
      return refuseWithCode(c, 500, shown);
    case 'busy':
      return refuseWithCode(c, 429, shown, { headers: RETRY_AFTER });
    case 'too-long':
      return refuseWithCode(c, 413, shown, { most: MOST_CHARACTERS });
    case 'unreadable':
      return refuseWithCode(c, 422, shown);
    default:
      return respond(c, 200, { page: shown.page, blocks: shown.blocks });
  }
}

/** `POST /api/preview/check`: WordPress requests the problems of a draft. */
function checkRoute(app: Hono, { inTurn, previews, questions }: Tools): void {
  signedQuestions(app, {
    ...{ ...questions, verifierOf: (path) => previews && questions.verifierOf(path) },
    ...{ path: '/api/preview/check', longest: LARGEST_DRAFT },
    async reply(body) {
      const shown = previews && (await inTurn(() => previews.showTyped(body)));
      if (shown === 'unreadable') return 'no question';
      if (shown === 'too-long') return 'too long';
      return shown === null || shown === 'busy' ? null : { problems: await shown.problems() };
    },
    unknown: 'no page',
  });
}

declare module 'hono' {
  interface ContextVariableMap {
    /** Origin that may show the response in a frame. Default: none. */
    framedBy?: string;
  }
}
