import type { Form } from '@pillion/forms/form.ts';
import { createLimit, QueueFull } from '@pillion/lib/limit.ts';
import { withTimeout } from '@pillion/lib/timeout.ts';
import { type Budget, createBudget } from '../wordpress/budget.ts';
import type { Client, Look } from '../wordpress/client.ts';
import { PREFIXES } from '../wordpress/endpoints.ts';
import type { Result } from '../wordpress/result.ts';
import { type DraftFault, previewSchema, type WirePreview } from './read-draft.ts';
import { type ShownDraft, type ShowOptions, showDraft } from './show-draft.ts';

/** Why WordPress hands no draft out. */
export type NoDraft =
  /** WordPress' own words: the token is too old or not for this page, the link was taken back, the user may not (any more). */
  | 'expired'
  | 'wrong'
  | 'withdrawn'
  /** Of one's own, and opened before: each opens once. */
  | 'used'
  | 'rights'
  /** Deleted, or never there. */
  | 'gone'
  /** Something of its own failed while it rendered the draft. */
  | 'broken'
  /** The plugin is from before previews. */
  | 'older'
  /** Too many ask at once. */
  | 'busy'
  /** No answer in time, or none that can be read. */
  | 'silent';

/** Drafts, asked for each time anew and kept nowhere: neither in memory nor on disk nor in the log. */
export interface Previews {
  /**
   * Asks WordPress for a draft. It judges by the token who asks and what she may see.
   * @param post Number of the post. @param token Signed by WordPress: whoever calls has checked that.
   */
  ask: (post: number, token: string) => Promise<WirePreview | NoDraft>;
  /**
   * Has WordPress note that a token is opened: a visit of a link counts, one of one's own opens once.
   * @returns `null`: it may.
   */
  open: (post: number, token: string) => Promise<NoDraft | null>;
  /** Makes the page of what `ask` gave. */
  show: (draft: WirePreview) => Promise<ShownDraft | DraftFault>;
  /** Makes the page of what was typed. @param body `{"draft": …}`, as it came; it is of no use afterwards. */
  showTyped: (body: Uint8Array) => Promise<ShownDraft | DraftFault>;
  /**
   * A form that a draft uses, though no page of the site shows it yet. Reads the draft from WordPress.
   * @returns `null` where the draft is not handed out, or does not use the form.
   */
  form: (post: number, token: string, id: number) => Promise<Form | null>;
}

interface Options extends ShowOptions {
  client: Client;
  /** Longest wait for WordPress, in milliseconds. */
  budgetMs: number;
  /** Tag of the language that a path is in. */
  langOf: (path: string) => string;
}

/** Calls at once; so many more may wait. An editor looks at one page at a time. */
const CALLS_AT_ONCE = 4;
const CALLS_WAITING = 16;

/** A page of five hundred blocks takes 1 MB, its sections and its rendered content. */
const LARGEST = 8_000_000;

const REFUSALS = new Map<unknown, NoDraft>(
  Object.entries({
    pillion_preview_expired: 'expired',
    pillion_preview_wrong: 'wrong',
    pillion_preview_withdrawn: 'withdrawn',
    pillion_preview_used: 'used',
    pillion_preview_rights: 'rights',
    pillion_preview_gone: 'gone',
    pillion_preview_failed: 'broken',
    rest_no_route: 'older',
  } as const),
);

/** Statuses under which WordPress says why. */
const REFUSED = new Set([403, 404, 500]);

function refusalIn(answer: Look): NoDraft {
  const code = (answer.data as { code?: unknown } | null | undefined)?.code;
  return REFUSED.has(answer.status) ? (REFUSALS.get(code) ?? 'silent') : 'silent';
}

/** @param options What makes a page of a draft, and how long one may wait for WordPress. */
export function createPreviews(options: Options): Previews {
  const { client, budgetMs } = options;
  const limit = createLimit(CALLS_AT_ONCE, [{ concurrency: CALLS_AT_ONCE, queueSize: CALLS_WAITING }]);
  const budget = (): Budget => createBudget(budgetMs);

  function call(address: string): Promise<Result<Look>> {
    return withTimeout(budgetMs, (signal) =>
      limit.run(() => client.look(address, { signal, timeoutMs: budgetMs, maxBytes: LARGEST }), signal),
    );
  }

  /** @returns What WordPress answers, unread; in words why it answers nothing. */
  async function answerTo(post: number, query: Record<string, string>): Promise<{ data: unknown } | NoDraft> {
    const asked = new URLSearchParams({ ...query, lang: options.langOf('/') });
    try {
      const answer = await call(`${PREFIXES.previews}/${post}?${asked}`);
      if (!answer.ok) return 'silent';
      return answer.data.status === 200 ? { data: answer.data.data } : refusalIn(answer.data);
    } catch (error) {
      return error instanceof QueueFull ? 'busy' : 'silent';
    }
  }

  async function ask(post: number, token: string): Promise<WirePreview | NoDraft> {
    const answer = await answerTo(post, { token });
    if (typeof answer === 'string') return answer;
    const read = previewSchema.safeParse(answer.data);
    return read.success ? read.data : 'silent';
  }

  const show = (draft: WirePreview) =>
    showDraft({ source: { draft }, isSaved: true }, options.langOf, budget(), options);

  return {
    ask,
    show,
    async open(post, token) {
      const answer = await answerTo(post, { token, opening: '1' });
      return typeof answer === 'string' ? answer : null;
    },
    showTyped: (source) => showDraft({ source, isSaved: false }, options.langOf, budget(), options),
    async form(post, token, id) {
      const draft = await ask(post, token);
      const shown = typeof draft === 'string' ? draft : await show(draft);
      const forms =
        typeof shown === 'string'
          ? []
          : shown.page.sections.flatMap((section) => (section.type === 'sign-up' ? [section.form] : []));
      return forms.find((form) => form?.id === id) ?? null;
    },
  };
}
