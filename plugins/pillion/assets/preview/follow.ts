// Keeps the preview up to date: watches the editor's state, requests the page with it from WordPress, and
// passes the response to the site's page in the frame or window.
import { requestPreview } from './kit.ts';

/** Fields of a page that the preview shows. The content is read separately. */
const PAGE_FIELDS = ['title', 'excerpt', 'template', 'featured_media', 'slug', 'meta'];

/** Pauses between retries by the number of failures, in milliseconds. */
const RETRY_DELAYS_MS = [1000, 2000, 5000, 10000];

/** WordPress counts as slow after SLOW_AFTER_MS. The request is aborted after TIMEOUT_MS. In milliseconds. */
const SLOW_AFTER_MS = 3000;
const TIMEOUT_MS = 30000;

/** Unsaved edits from the stores, cheap to read after every change. */
const readEdits = () => {
  const { getCurrentPostId, getCurrentPostType } = wp.data.select('core/editor');
  return wp.data.select('core').getEntityRecordEdits('postType', getCurrentPostType(), getCurrentPostId()) ?? {};
};

/** Values to compare with an earlier state: each is the same object until it changes. */
const takeSnapshot = () => {
  const edits = readEdits();
  return [
    wp.data.select('core/editor').getCurrentPost(),
    edits.blocks,
    edits.content,
    ...PAGE_FIELDS.map((name) => edits[name]),
  ];
};

/** The page as a save would send it. WordPress uses the saved value of fields that are left out. */
export const readDraft = () => {
  const { getCurrentPostAttribute, getEditedPostAttribute, getEditedPostContent } = wp.data.select('core/editor');
  const edits = readEdits();
  const editedFields = PAGE_FIELDS.filter((name) => edits[name] !== undefined && name !== 'meta');
  const draft = Object.fromEntries(editedFields.map((name) => [name, getEditedPostAttribute(name)]));
  if (edits.meta) draft.meta = { ...getCurrentPostAttribute('meta'), ...edits.meta };
  return { ...draft, content: getEditedPostContent() };
};

/** Calls back when the page to be saved has changed. @returns Stops watching. */
export const watchDraft = (onChange: () => void) => {
  let previous = takeSnapshot();
  return wp.data.subscribe(() => {
    const current = takeSnapshot();
    if (current.every((value, index) => value === previous[index])) return;
    previous = current;
    onChange();
  });
};

interface FollowerOptions {
  /** Gets the page for the site; `n` grows with each. */
  onDraft(n: number, draft: object): void;
  onState(state: 'slow' | 'received' | 'refused', error?: unknown): void;
}

/** @returns `start` returns its undo; `resend` sends the current state again. */
export const createFollower = ({ onDraft, onState }: FollowerOptions) => {
  let draftNumber = 0;
  let isRunning = false;
  let isSending = false;
  let isPending = false;
  let failures = 0;
  let timer = 0;
  /** Changes with each start and stop, so that responses to earlier requests are ignored. */
  let currentRun = 0;

  async function requestDraft(data: object) {
    const controller = new AbortController();
    const slowTimer = setTimeout(() => onState('slow'), SLOW_AFTER_MS);
    const timeout = setTimeout(() => controller.abort(), TIMEOUT_MS);
    try {
      return await requestPreview('live', { method: 'POST', data, signal: controller.signal });
    } finally {
      clearTimeout(slowTimer);
      clearTimeout(timeout);
    }
  }

  async function sendDraft() {
    const run = currentRun;
    try {
      const draft = await requestDraft(readDraft());
      if (run !== currentRun) return;
      failures = 0;
      draftNumber += 1;
      onDraft(draftNumber, draft);
      onState('received');
    } catch (error) {
      if (run !== currentRun) return;
      onState('refused', error);
      isPending = false;
      clearTimeout(timer);
      timer = setTimeout(resend, RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)]);
      failures += 1;
    }
  }

  /** Sends one request at a time. Changes meanwhile are sent together afterwards. */
  async function sendPending() {
    if (isSending) return;
    isSending = true;
    while (isPending && isRunning) {
      isPending = false;
      await sendDraft();
    }
    isSending = false;
  }

  function resend() {
    if (!isRunning) return;
    isPending = true;
    sendPending();
  }

  function onChange() {
    // After a failure the next retry sends the current state.
    if (failures) return;
    clearTimeout(timer);
    // One edit changes several stores.
    timer = setTimeout(resend, 0);
  }

  function start() {
    isRunning = true;
    currentRun += 1;
    failures = 0;
    resend();
    const unwatch = watchDraft(onChange);
    return () => {
      isRunning = false;
      isPending = false;
      currentRun += 1;
      clearTimeout(timer);
      unwatch();
    };
  }

  return { start, resend };
};
