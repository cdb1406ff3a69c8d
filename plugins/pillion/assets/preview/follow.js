// Keeps the site in step with what is being written: watches the editor's state, asks WordPress how the page would look
// with it, and hands the answer to the page of the site in the frame or window.
{
  const { wp } = window;
  const { ask } = window.pillionPreviewKit;

  /** Members of a page that the preview shows; the content is asked for apart. */
  const MEMBERS = ['title', 'excerpt', 'template', 'featured_media', 'slug', 'meta'];

  /** How long to wait before WordPress is asked again that did not answer, by the number of tries. In milliseconds. */
  const AGAIN_MS = [1000, 2000, 5000, 10000];

  /** WordPress that takes longer is announced as slow, and given up. In milliseconds. */
  const SLOW_MS = 3000;
  const LONGEST_MS = 30000;

  /** What is edited and not yet saved, as the stores hold it: cheap to read after every change. */
  const edits = () => {
    const { getCurrentPostId, getCurrentPostType } = wp.data.select('core/editor');
    return wp.data.select('core').getEntityRecordEdits('postType', getCurrentPostType(), getCurrentPostId()) ?? {};
  };

  /** What a change is told by: each member stays the very same object while nothing of it changes. */
  const marks = () => {
    const edited = edits();
    return [
      wp.data.select('core/editor').getCurrentPost(),
      edited.blocks,
      edited.content,
      ...MEMBERS.map((name) => edited[name]),
    ];
  };

  /** The page as a save would send it. What is not edited is left out: WordPress takes it as saved. */
  const readDraft = () => {
    const { getCurrentPostAttribute, getEditedPostAttribute, getEditedPostContent } = wp.data.select('core/editor');
    const edited = edits();
    const members = MEMBERS.filter((name) => edited[name] !== undefined && name !== 'meta');
    const body = Object.fromEntries(members.map((name) => [name, getEditedPostAttribute(name)]));
    if (edited.meta) body.meta = { ...getCurrentPostAttribute('meta'), ...edited.meta };
    return { ...body, content: getEditedPostContent() };
  };

  /**
   * Calls back after each change of what the page would be saved as.
   * @returns The undo.
   */
  const watchDraft = (onChange) => {
    let last = marks();
    return wp.data.subscribe(() => {
      const now = marks();
      if (now.every((mark, index) => mark === last[index])) return;
      last = now;
      onChange();
    });
  };

  /**
   * @param {object} hooks
   * @param {(n: number, draft: object) => void} hooks.hand Gets what the site is to show; `n` grows with each.
   * @param {(state: 'asked' | 'slow' | 'answered' | 'refused', error?: object) => void} hooks.tell What WordPress does.
   * @returns {{ start(): () => void, again(): void }} `start` returns its undo; `again` sends the state once more.
   */
  const createFollower = ({ hand, tell }) => {
    let n = 0;
    let isRunning = false;
    let isAsking = false;
    let isDue = false;
    let failures = 0;
    let timer = 0;
    /** Set anew with each start: an answer to a question from before is dropped. */
    let round = 0;

    async function answerTo(body) {
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

    /** One question at a time: what changes meanwhile waits, and only its newest state is asked about. */
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
      // Where WordPress does not answer, the next try comes by itself and takes the state of then.
      if (failures) return;
      clearTimeout(timer);
      // One act of the editor is several changes of its stores.
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

  Object.assign(window.pillionPreviewKit, { createFollower, readDraft, watchDraft });
}
