import type { FailedReason, FromEditor } from '@pillion/content/preview/pane-messages.ts';
import type { RenderedDraft } from '@pillion/content/types.ts';

const isIndex = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** @returns The message if it is a valid message of the editor, otherwise `null`. */
export function parseEditorMessage(data: unknown): FromEditor | null {
  if (typeof data !== 'object' || data === null) return null;
  const { pillion, n, draft, block, theme, calm, look } = data as Record<string, unknown>;
  if (pillion === 'draft' && isIndex(n) && typeof draft === 'object' && draft !== null) return { pillion, n, draft };
  if (pillion === 'select' && isIndex(block)) return { pillion, block };
  if (pillion === 'colours' && typeof look === 'object' && look !== null) return { pillion, look };
  if (pillion !== 'look' || typeof calm !== 'boolean') return null;
  return theme === null || theme === 'dark' || theme === 'light' ? { pillion, theme, calm } : null;
}

const REASON_BY_STATUS: Record<number, FailedReason> = {
  401: 'expired',
  403: 'expired',
  413: 'too-large',
  422: 'unreadable',
};

/** @param response `null`: the site did not respond. One with status 200: its body was invalid, so it counts as none. */
export const failedReason = (response: Response | null): FailedReason =>
  REASON_BY_STATUS[response?.status ?? 0] ?? 'silent';

class RenderError extends Error {
  readonly reason: FailedReason;

  constructor(reason: FailedReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Maximum number of requests at a time. A new draft replaces the oldest request. */
const CONCURRENCY = 4;

interface DraftsOptions {
  token: string;
  /** Loads what a draft needs. @returns A function that shows it synchronously. */
  prepare: (n: number, draft: RenderedDraft) => Promise<() => void>;
  onFailed: (n: number, reason: FailedReason) => void;
}

/** Sends the editor's drafts to the server and shows each response, unless a newer one is already shown. */
export function createDrafts({ token, prepare, onFailed }: DraftsOptions) {
  const requests = new Map<number, AbortController>();
  let newestShown = -1;

  /**
   * Sends the request without `siteFetch`, because preview.ts imports nothing of the entry.
   * @throws RenderError If the server does not return the page.
   */
  const requestRender = async (draft: object, signal: AbortSignal): Promise<RenderedDraft> => {
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
    // `null` without a response, or if it is no JSON, such as the error page of a proxy.
    const body: (RenderedDraft & { code?: unknown }) | null = (await response?.json().catch(() => null)) ?? null;
    if (response?.ok && body) return body;
    throw new RenderError(body?.code === 'too-long' ? body.code : failedReason(response));
  };

  return {
    /** @param n Number of the draft; higher is newer. */
    async show(n: number, draft: object): Promise<void> {
      if (n <= newestShown || requests.has(n)) return;
      const controller = new AbortController();
      requests.set(n, controller);
      if (requests.size > CONCURRENCY) {
        const oldest = Math.min(...requests.keys());
        requests.get(oldest)?.abort();
        requests.delete(oldest);
      }
      try {
        const display = await prepare(n, await requestRender(draft, controller.signal));
        if (controller.signal.aborted || n <= newestShown) return;
        newestShown = n;
        display();
      } catch (error) {
        if (controller.signal.aborted || n <= newestShown) return;
        onFailed(n, error instanceof RenderError ? error.reason : 'failed');
      } finally {
        requests.delete(n);
      }
    },
  };
}
