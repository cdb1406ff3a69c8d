import type { FailedReason, FromEditor } from '@pillion/content/preview/pane-messages.ts';
import type { RenderedDraft } from '@pillion/content/types.ts';

const isPlace = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** Validates a message. @returns `null` if it is not a valid message of the editor. */
export function fromEditor(data: unknown): FromEditor | null {
  if (typeof data !== 'object' || data === null) return null;
  const { pillion, n, draft, block, theme, calm, look } = data as Record<string, unknown>;
  if (pillion === 'draft' && isPlace(n) && typeof draft === 'object' && draft !== null) return { pillion, n, draft };
  if (pillion === 'select' && isPlace(block)) return { pillion, block };
  if (pillion === 'colours' && typeof look === 'object' && look !== null) return { pillion, look };
  if (pillion !== 'look' || typeof calm !== 'boolean') return null;
  return theme === null || theme === 'dark' || theme === 'light' ? { pillion, theme, calm } : null;
}

const BY_STATUS: Record<number, FailedReason> = { 401: 'expired', 403: 'expired', 413: 'too-large', 422: 'unreadable' };

/** @param response Null: the site did not respond. */
export const failedBy = (response: Response | null): FailedReason => BY_STATUS[response?.status ?? 0] ?? 'silent';

class Refused extends Error {
  readonly reason: FailedReason;

  constructor(reason: FailedReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Maximum number of requests at a time. A new draft replaces the oldest request. */
const AT_ONCE = 4;

interface DraftsOptions {
  token: string;
  /** Prepares a response. @returns A function that shows it synchronously. */
  show: (n: number, answer: RenderedDraft) => Promise<() => void>;
  onFailed: (n: number, reason: FailedReason) => void;
}

/** Sends the editor's drafts to the server and shows each response, unless a newer one is already shown. */
export function createDrafts({ token, show, onFailed }: DraftsOptions) {
  const underWay = new Map<number, AbortController>();
  let newestShown = -1;

  const render = async (draft: object, signal: AbortSignal): Promise<RenderedDraft> => {
    const response = await fetch('/preview/render', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        env: document.documentElement.dataset.env ?? 'production',
        'pillion-preview-token': token,
      },
      body: JSON.stringify({ draft }),
      signal,
    }).catch(() => null);
    if (response?.ok) return (await response.json()) as RenderedDraft;
    const said: { code?: unknown } | null = (await response?.json().catch(() => null)) ?? null;
    throw new Refused(said?.code === 'too-long' ? said.code : failedBy(response));
  };

  return {
    /** @param n Number of the draft; higher is newer. */
    async take(n: number, draft: object): Promise<void> {
      if (n <= newestShown || underWay.has(n)) return;
      const watch = new AbortController();
      underWay.set(n, watch);
      if (underWay.size > AT_ONCE) {
        const oldest = Math.min(...underWay.keys());
        underWay.get(oldest)?.abort();
        underWay.delete(oldest);
      }
      try {
        const display = await show(n, await render(draft, watch.signal));
        if (watch.signal.aborted || n <= newestShown) return;
        newestShown = n;
        display();
      } catch (error) {
        if (watch.signal.aborted || n <= newestShown) return;
        onFailed(n, error instanceof Refused ? error.reason : 'failed');
      } finally {
        underWay.delete(n);
      }
    },
  };
}
