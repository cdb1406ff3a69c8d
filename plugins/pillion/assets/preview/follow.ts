// Keeps the preview up to date: watches the editor's state, asks WordPress for the page with it, and passes the
// response to the site's page in the frame or window.
import { ask } from './kit.ts';

/** Members of a page that the preview shows. The content is read separately. */
const MEMBERS = ['title', 'excerpt', 'template', 'featured_media', 'slug', 'meta'];

/** Pauses between retries by the number of failures, in milliseconds. */
const AGAIN_MS = [1000, 2000, 5000, 10000];

/** WordPress counts as slow after SLOW_MS. The request is aborted after LONGEST_MS. In milliseconds. */
const SLOW_MS = 3000;
const LONGEST_MS = 30000;

/** Unsaved edits from the stores, cheap to read after every change. */
const edits = () => {
  const { getCurrentPostId, getCurrentPostType } = wp.data.select('core/editor');
  return wp.data.select('core').getEntityRecordEdits('postType', getCurrentPostType(), getCurrentPostId()) ?? {};
};

/** Values that identify a state: a member keeps its identity until it changes. */
const marks = () => {
  const edited = edits();
  return [
    wp.data.select('core/editor').getCurrentPost(),
    edited.blocks,
    edited.content,
    ...MEMBERS.map((name) => edited[name]),
  ];
};

/** The page as a save would send it. WordPress uses the saved value of members that are left out. */
export const readDraft = () => {
  const { getCurrentPostAttribute, getEditedPostAttribute, getEditedPostContent } = wp.data.select('core/editor');
  const edited = edits();
  const members = MEMBERS.filter((name) => edited[name] !== undefined && name !== 'meta');
  const body = Object.fromEntries(members.map((name) => [name, getEditedPostAttribute(name)]));
  if (edited.meta) body.meta = { ...getCurrentPostAttribute('meta'), ...edited.meta };
  return { ...body, content: getEditedPostContent() };
};

/** Calls back when the page to be saved has changed. @returns Stops watching. */
export const watchDraft = (onChange: () => void) => {
  let last = marks();
  return wp.data.subscribe(() => {
    const now = marks();
    if (now.every((mark, index) => mark === last[index])) return;
    last = now;
    onChange();
  });
};

interface FollowerHooks {
  /** Gets the page for the site; `n` grows with each. */
  hand(n: number, draft: object): void;
  /** Gets WordPress' state. */
  tell(state: 'asked' | 'slow' | 'answered' | 'refused', error?: unknown): void;
}

/** @returns `start` returns its undo; `again` sends the current state again. */
export const createFollower = ({ hand, tell }: FollowerHooks) => {
  let n = 0;
  let isRunning = false;
  let isAsking = false;
  let isDue = false;
  let failures = 0;
  let timer = 0;
  /** Changes with each start and stop, so that responses to earlier requests are ignored. */
  let round = 0;

  async function answerTo(body: object) {
    const stop = new AbortController();
    const slow = setTimeout(() => tell('slow'), SLOW_MS);
    const longest = setTimeout(() => stop.abort(), LONGEST_MS);
    try {
      return await ask('live', { method: 'POST', data: body, signal: stop.signal });
    } finally {
      clearTimeout(slow);
      clearTimeout(longest);
    }
  }

  async function askOnce() {
    const mine = round;
    try {
      const answer = await answerTo(readDraft());
      if (mine !== round) return;
      failures = 0;
      n += 1;
      hand(n, answer);
      tell('answered');
    } catch (error) {
      if (mine !== round) return;
      tell('refused', error);
      isDue = false;
      clearTimeout(timer);
      timer = setTimeout(again, AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)]);
      failures += 1;
    }
  }

  /** Sends one request at a time. Changes meanwhile are sent together afterwards. */
  async function pump() {
    if (isAsking) return;
    isAsking = true;
    while (isDue && isRunning) {
      isDue = false;
      tell('asked');
      await askOnce();
    }
    isAsking = false;
  }

  function again() {
    if (!isRunning) return;
    isDue = true;
    pump();
  }

  function onChange() {
    // After a failure the next retry sends the current state.
    if (failures) return;
    clearTimeout(timer);
    // One edit changes several stores.
    timer = setTimeout(again, 0);
  }

  function start() {
    isRunning = true;
    round += 1;
    failures = 0;
    again();
    const unwatch = watchDraft(onChange);
    return () => {
      isRunning = false;
      isDue = false;
      round += 1;
      clearTimeout(timer);
      unwatch();
    };
  }

  return { start, again };
};
