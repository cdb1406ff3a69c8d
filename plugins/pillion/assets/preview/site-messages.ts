// Messages between the editor and the site's page in its frame or window.
import type { FromEditor, MessageHandlers, ToEditor } from '@pillion/content/preview/pane-messages.ts';

/** The theme, null for the page's own, and whether motion is reduced. */
export type Look = Omit<Extract<FromEditor, { pillion: 'look' }>, 'pillion'>;

interface SiteMessengerOptions {
  onReady(): void;
  onDraftSent(): void;
  onShown(isNewest: boolean): void;
  onFailed(reason: string): void;
  onPicked(block: number): void;
}

/** Sends drafts, the selected block and the look to the site's page, and calls back with its messages. */
export const createSiteMessenger = (options: SiteMessengerOptions) => {
  let target: Window | null = null;
  let targetOrigin = '';
  let isReady = false;
  let newestDraft: Omit<Extract<FromEditor, { pillion: 'draft' }>, 'pillion'> | null = null;
  /** Number of the newest draft that the site shows. */
  let shownNumber = 0;
  let currentLook: Look | null = null;
  /** Block that was selected in the editor, until it is sent: the site scrolls to it. */
  let pendingBlock: number | null = null;

  const post = (message: FromEditor) => {
    if (isReady) target?.postMessage(message, targetOrigin);
  };

  const postDraft = () => {
    if (!isReady || !newestDraft) return;
    post({ pillion: 'draft', ...newestDraft });
    options.onDraftSent();
  };

  /** A new block is on the site only after its draft, so the site cannot scroll to it earlier. */
  const postPendingBlock = () => {
    if (!isReady || pendingBlock === null || (newestDraft && shownNumber < newestDraft.n)) return;
    post({ pillion: 'select', block: pendingBlock });
    pendingBlock = null;
  };

  const handlers: Partial<MessageHandlers<ToEditor>> = {
    ready() {
      isReady = true;
      shownNumber = 0;
      if (currentLook) post({ pillion: 'look', ...currentLook });
      postDraft();
      options.onReady();
    },
    shown({ n }) {
      if (!Number.isInteger(n)) return;
      shownNumber = Math.max(shownNumber, n);
      postPendingBlock();
      options.onShown(n === newestDraft?.n);
    },
    failed({ n, reason }) {
      if (n === newestDraft?.n) options.onFailed(String(reason));
    },
    picked({ block }) {
      if (Number.isInteger(block)) options.onPicked(block);
    },
  };

  function onMessage({ source, origin, data }: MessageEvent) {
    if (!target || source !== target || origin !== targetOrigin || typeof data?.pillion !== 'string') return;
    if (Object.hasOwn(handlers, data.pillion)) handlers[data.pillion as keyof typeof handlers]?.(data);
  }

  return {
    start() {
      window.addEventListener('message', onMessage);
      return () => window.removeEventListener('message', onMessage);
    },
    /** @param page Frame or window that loads a page of `origin`. */
    attach(page: Window, origin: string) {
      target = page;
      targetOrigin = origin;
      isReady = false;
    },
    sendDraft(n: number, draft: object) {
      newestDraft = { n, draft };
      postDraft();
    },
    /** @param block Its index; -1 without a selected block. */
    selectBlock(block: number) {
      pendingBlock = block < 0 ? null : block;
      postPendingBlock();
    },
    setLook(look: Look) {
      currentLook = look;
      post({ pillion: 'look', ...look });
    },
  };
};
