import type { Form } from '@pillion/forms/form.ts';
import { createLimit, QueueFull } from '@pillion/lib/limit.ts';
import { withTimeout } from '@pillion/lib/timeout.ts';
import { type Budget, createBudget } from '../wordpress/budget.ts';
import type { Client, Look } from '../wordpress/client.ts';
import { PREFIXES } from '../wordpress/endpoints.ts';
import type { Result } from '../wordpress/result.ts';
import { type DraftFault, previewSchema, type WirePreview } from './read-draft.ts';
import { type ShownDraft, type ShowOptions, showDraft } from './show-draft.ts';

/** Why there is no draft. */
export type NoDraft =
  /** Refused by WordPress: token expired, of another page or withdrawn, or the user lacks the right. */
  | 'expired'
  | 'wrong'
  | 'withdrawn'
  /** A token of the editor's own preview that was opened before: it opens once. */
  | 'used'
  | 'rights'
  /** The post does not exist. */
  | 'gone'
  /** WordPress failed to render the draft. */
  | 'broken'
  /** The plugin is too old for previews. */
  | 'older'
  /** Too many concurrent requests. */
  | 'busy'
  /** No response in time, or an invalid one. */
  | 'silent';

/** Drafts, requested every time and never stored in memory, on disk or in the log. */
export interface Previews {
  /**
   * Requests a draft from WordPress, which checks the token for the user and their rights.
   * @param post Id of the post. @param token Signed by WordPress; the caller has verified the signature.
   */
  ask: (post: number, token: string) => Promise<WirePreview | NoDraft>;
  /**
   * Reports to WordPress that a token is opened. A link may be opened several times, an editor's own token once.
   * @returns `null` if it may be opened.
   */
  open: (post: number, token: string) => Promise<NoDraft | null>;
  /** Makes the page of a draft from `ask`. */
  show: (draft: WirePreview) => Promise<ShownDraft | DraftFault>;
  /** Makes the page of unsaved content. @param body The request body, `{"draft": …}`; it cannot be used afterwards. */
  showTyped: (body: Uint8Array) => Promise<ShownDraft | DraftFault>;
  /**
   * A form that a draft uses and no page shows yet. Reads the draft from WordPress.
   * @returns `null` if the draft is refused or does not use the form.
   */
  form: (post: number, token: string, id: number) => Promise<Form | null>;
}

interface Options extends ShowOptions {
  client: Client;
  /** Longest wait for WordPress, in milliseconds. */
  budgetMs: number;
  /** Returns the language tag of a path. */
  langOf: (path: string) => string;
}

/** Limits of concurrent and waiting calls. An editor looks at one page at a time. */
const CALLS_AT_ONCE = 4;
const CALLS_WAITING = 16;

/** In bytes. A page of 500 blocks takes 1 MB. */
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

/** Statuses of responses with a reason. */
const REFUSED = new Set([403, 404, 500]);

function refusalIn(answer: Look): NoDraft {
  const code = (answer.data as { code?: unknown } | null | undefined)?.code;
  return REFUSED.has(answer.status) ? (REFUSALS.get(code) ?? 'silent') : 'silent';
}

export function createPreviews(options: Options): Previews {
  const { client, budgetMs } = options;
  const limit = createLimit(CALLS_AT_ONCE, [{ concurrency: CALLS_AT_ONCE, queueSize: CALLS_WAITING }]);
  const budget = (): Budget => createBudget(budgetMs);

  function call(address: string): Promise<Result<Look>> {
    return withTimeout(budgetMs, (signal) =>
      limit.run(() => client.look(address, { signal, timeoutMs: budgetMs, maxBytes: LARGEST }), signal),
    );
  }

  /** @returns WordPress' response, not validated, or why it is missing. */
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
