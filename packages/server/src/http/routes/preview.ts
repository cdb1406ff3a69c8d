import type { Content } from '@pillion/content/content.ts';
import { MAX_DRAFT_CHARACTERS, stateOf, type WirePreview } from '@pillion/content/preview/draft.ts';
import type { Previews } from '@pillion/content/preview/previews.ts';
import type { PreviewBoot } from '@pillion/content/types.ts';
import { createLimit, QueueFull } from '@pillion/lib/limit.ts';
import type { Log } from '@pillion/lib/log.ts';
import { isSameOrigin } from '@pillion/sign-ups/same-origin.ts';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Config } from '../../config/config.ts';
import { createNewestFirst } from '../../newest-first.ts';
import { clearCookie, readCookie, setCookie } from '../../preview/cookie.ts';
import { PREVIEW_TOKEN, type Token, type Tokens } from '../../preview/tokens.ts';
import type { RenderOptions } from '../document.tsx';
import { createPreviewResponses, NO_STORE_HEADERS } from '../preview/responses.ts';
import type { NoPreview } from '../preview/texts.ts';
import { jsonResponse } from '../responses.ts';
import { addQuestionRoute, type QuestionOptions } from '../signed-questions.ts';

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
const MAX_DRAFT_BYTES = 2_000_000;

/** In bytes. The button that closes a preview sends one path. */
const MAX_LEAVE_BYTES = 4_096;

/**
 * Drafts rendered at once, and drafts that may wait: each uses the processor that visitors need too. There is room for
 * the 20 requests that WordPress may answer at once (`previews.ts`) and a dozen typed drafts.
 */
const CONCURRENT_RENDERS = 2;
const MAX_WAITING_RENDERS = 32;

/** A path of this site: a second slash or a backslash would name another host. */
const SITE_PATH = /^\/(?![/\\])[^\s\p{Cc}\\]*$/u;

/** Parameter of a path: the post's number in WordPress. */
const POST = ':post{[1-9][0-9]{0,14}}';

/** Whether a browser prefetches the address (Fetch, `Sec-Purpose`; older browsers send the other headers). */
const isPrefetch = (c: Context) =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /\b(?:prefetch|prerender|preview)\b/i.test(c.req.header(name) ?? ''),
  );

/** For drafts that were refused because too many wait. In seconds. */
const RETRY_HEADERS = { 'retry-after': '2' };

type Handler = (c: Context, tokens: Tokens, previews: Previews) => Promise<Response>;

/** What the routes share: options, and functions that respond. */
function createTools({ config, content, render, tokens, questions, log }: Options) {
  const responses = createPreviewResponses({ content, render, log });
  const { previews } = content;
  const { reportRefusal } = questions;
  const limit = createLimit(CONCURRENT_RENDERS, [{ concurrency: CONCURRENT_RENDERS, queueSize: MAX_WAITING_RENDERS }]);

  /** Refuses with a page, for people. */
  function refuse(c: Context, reason: NoPreview) {
    reportRefusal('preview', reason);
    return responses.refusal(c.req.raw, reason);
  }

  /** Responds with JSON that no cache stores. */
  const respond = (c: Context, status: number, body: object, headers = {}) =>
    jsonResponse(c.req.raw, body, status, { ...NO_STORE_HEADERS, ...headers });

  /** Refuses with a code, for scripts. @param details `most`: the limit that was exceeded. */
  function refuseWithCode(c: Context, status: number, code: string, details: { most?: number; headers?: object } = {}) {
    const { most, headers } = details;
    reportRefusal('preview', code);
    return respond(c, status, most ? { code, most } : { code }, headers);
  }

  /** Runs `work` when there is room; `busy` if too many wait. */
  async function runLimited<T>(work: () => Promise<T>): Promise<T | 'busy'> {
    try {
      return await limit.run(work);
    } catch (error) {
      if (error instanceof QueueFull) return 'busy';
      throw error;
    }
  }

  /** Makes a handler that runs only if previews are set up and the request is no prefetch. */
  const withPreviews =
    (handle: Handler) =>
    (c: Context): Promise<Response> | Response => {
      if (isPrefetch(c)) return responses.nothing();
      return tokens && previews ? handle(c, tokens, previews) : refuse(c, 'no-secret');
    };

  const isSecure = config.siteUrl.startsWith('https:');
  const shared = { content, render, tokens, previews, questions, responses, isSecure };
  return { ...shared, refuse, respond, refuseWithCode, runLimited, withPreviews };
}

type Tools = ReturnType<typeof createTools>;

/**
 * Previews. They have separate addresses, so that public responses never depend on the client and no cache can mix the
 * two (decision 038).
 */
export function previewRoutes(app: Hono, options: Options): void {
  const tools = createTools(options);
  addOpenRoute(app, tools);
  addPageRoute(app, tools);
  addPaneRoute(app, tools, options.config);
  addLeaveRoute(app, tools);
  addRenderRoute(app, tools);
  for (const path of ['/preview/leave', '/preview/render'])
    app.all(path, (c) => c.text('This method is not allowed here.\n', 405, { ...NO_STORE_HEADERS, allow: 'POST' }));
  addCheckRoute(app, tools);
}

function addOpenRoute(app: Hono, { withPreviews, isSecure, refuse, responses }: Tools): void {
  app.get(
    '/preview/open',
    withPreviews(async (c, tokens, previews) => {
      // HEAD must not use up the token, and sets no cookie.
      if (c.req.method === 'HEAD') return responses.nothing();
      const token = tokens.readToOpen(c.req.query('token') ?? '');
      if (typeof token === 'string') return refuse(c, token);
      if (token.kind === 'pane') return refuse(c, 'wrong');
      const cookieToken = readCookie(c.req.raw, tokens, isSecure);
      // A token of kind `open` can be used once, but the browser that used it may open its address again.
      // A `link` can be opened many times, and WordPress counts each visit.
      const isOpened = cookieToken !== null && typeof cookieToken !== 'string' && cookieToken.text === token.text;
      const refusal = isOpened && token.kind === 'open' ? null : await previews.open(token.post, token.text);
      if (refusal) return refuse(c, refusal);
      return responses.redirect(`/preview/${token.post}/`, setCookie(tokens, token, isSecure));
    }),
  );
}

/** A draft in a separate tab, identified by the cookie. */
function addPageRoute(app: Hono, tools: Tools): void {
  const { withPreviews, isSecure, refuse, responses } = tools;

  app.get(`/preview/${POST}`, (c) => responses.redirect(`/preview/${c.req.param('post')}/`));

  app.get(
    `/preview/${POST}/`,
    withPreviews(async (c, tokens, previews) => {
      const token = readCookie(c.req.raw, tokens, isSecure);
      if (token === null) return refuse(c, 'no-cookie');
      if (typeof token === 'string') return refuse(c, token);
      const post = Number(c.req.param('post'));
      const wire = await previews.ask(post, token.text);
      return typeof wire === 'string' ? refuse(c, wire) : respondWithDocument(tools, c, previews, token, post, wire);
    }),
  );
}

/** A draft in the pane next to the block editor. */
function addPaneRoute(app: Hono, tools: Tools, config: Config): void {
  const { withPreviews, refuse } = tools;
  /** Origin of WordPress, as it last reported it, which may frame the page that says why a pane shows nothing. */
  let editorOrigin = config.content.source === 'wordpress' ? (URL.parse(config.content.url)?.origin ?? null) : null;

  // Without a cookie, as browsers store none for a frame of another site.
  app.get(
    `/preview/pane/${POST}`,
    withPreviews(async (c, tokens, previews) => {
      const token = tokens.readToOpen(c.req.query('token') ?? '');
      // Only clients with a signed token learn the address of WordPress.
      if (editorOrigin && token !== 'wrong') c.set('framedBy', editorOrigin);
      if (typeof token === 'string') return refuse(c, token);
      const post = Number(c.req.param('post'));
      if (token.kind !== 'pane' || token.post !== post) return refuse(c, 'wrong');
      const wire = await previews.ask(post, token.text);
      if (typeof wire === 'string') return refuse(c, wire);
      editorOrigin = wire.editor ?? editorOrigin;
      if (editorOrigin) c.set('framedBy', editorOrigin);
      return respondWithDocument(tools, c, previews, token, post, wire);
    }),
  );
}

/** Renders a draft that WordPress has returned. */
async function respondWithDocument(
  { content, runLimited, refuse, responses }: Tools,
  c: Context,
  previews: Previews,
  token: Token,
  post: number,
  wire: WirePreview,
) {
  const lang = await content.languageOf(wire.route.path);
  const [draft, shell] = await Promise.all([runLimited(() => previews.show(wire)), content.shell(lang)]);
  if (draft === 'busy') return refuse(c, draft);
  if (typeof draft === 'string') return refuse(c, 'unreadable');
  const isPane = token.kind === 'pane';
  const preview: PreviewBoot = {
    post,
    kind: token.kind,
    state: stateOf(wire),
    live: wire.live ?? null,
    drafts: wire.drafts,
    blocks: draft.blocks,
    ...(isPane && { token: token.text, ...(wire.editor && { editor: wire.editor }) }),
  };
  return responses.document(c.req.raw, { ...draft, shell, preview });
}

function addLeaveRoute(app: Hono, { isSecure, render, responses, refuseWithCode }: Tools): void {
  const leaveLimit = bodyLimit({
    maxSize: MAX_LEAVE_BYTES,
    onError: (c) => refuseWithCode(c, 413, 'too-large', { most: MAX_LEAVE_BYTES }),
  });
  app.post('/preview/leave', leaveLimit, async (c) => {
    if (!isSameOrigin(c.req.raw, render.siteUrl)) return refuseWithCode(c, 403, 'foreign');
    const form = await c.req.raw.formData().catch(() => null);
    const target = String(form?.get('to') ?? '');
    return responses.redirect(SITE_PATH.test(target) ? target : '/', clearCookie(isSecure));
  });
}

/**
 * `POST /preview/render`: the pane requests the page of a draft while the editor types. For each user one draft is
 * rendered at a time; of the waiting ones only the newest.
 */
function addRenderRoute(app: Hono, tools: Tools): void {
  const { previews, questions, render, refuseWithCode, tokens } = tools;
  const newestOfUser = createNewestFirst();

  app.post('/preview/render', async (c) => {
    if (!isSameOrigin(c.req.raw, render.siteUrl)) return refuseWithCode(c, 403, 'foreign');
    if (!tokens || !previews) return refuseWithCode(c, 503, 'no-secret');
    const token = tokens.read(c.req.header(PREVIEW_TOKEN) ?? '');
    if (typeof token === 'string' || token.kind !== 'pane')
      return refuseWithCode(c, 401, typeof token === 'string' ? token : 'wrong');
    const result = await newestOfUser.run(token.user, () =>
      questions.bodies.withBody(c, MAX_DRAFT_BYTES, (body) => renderTyped(tools, c, previews, body)),
    );
    switch (result) {
      case 'too long':
        return refuseWithCode(c, 413, 'too-large', { most: MAX_DRAFT_BYTES });
      case 'too slow':
        return refuseWithCode(c, 408, 'slow', { headers: { connection: 'close' } });
      case 'busy':
        return refuseWithCode(c, 503, 'busy', { headers: RETRY_HEADERS });
      case 'replaced':
        return refuseWithCode(c, 429, 'replaced', { headers: RETRY_HEADERS });
      default:
        return result;
    }
  });
}

/** Renders a typed draft, or responds with the reason why not. */
async function renderTyped(
  { runLimited, respond, refuseWithCode }: Tools,
  c: Context,
  previews: Previews,
  body: Buffer,
): Promise<Response> {
  const draft = await runLimited(() => previews.showTyped(body)).catch(() => 'failed' as const);
  switch (draft) {
    case 'failed':
      return refuseWithCode(c, 500, draft);
    case 'busy':
      return refuseWithCode(c, 429, draft, { headers: RETRY_HEADERS });
    case 'too-long':
      return refuseWithCode(c, 413, draft, { most: MAX_DRAFT_CHARACTERS });
    case 'unreadable':
      return refuseWithCode(c, 422, draft);
    default:
      return respond(c, 200, { page: draft.page, blocks: draft.blocks });
  }
}

/** `POST /api/preview/check`: WordPress requests the problems of a draft. */
function addCheckRoute(app: Hono, { runLimited, previews, questions }: Tools): void {
  addQuestionRoute(app, {
    ...{ ...questions, verifierFor: (path) => previews && questions.verifierFor(path) },
    ...{ path: '/api/preview/check', maxBytes: MAX_DRAFT_BYTES },
    async answer(body) {
      const draft = previews && (await runLimited(() => previews.showTyped(body)));
      if (draft === 'unreadable') return 'no question';
      if (draft === 'too-long') return 'too long';
      return draft === null || draft === 'busy' ? null : { problems: await draft.problems() };
    },
    failureText: 'no page',
  });
}

declare module 'hono' {
  interface ContextVariableMap {
    /** Origin that may show the response in a frame. Default: none. */
    framedBy?: string;
  }
}
