// Shared parts of the preview.

/** Facts from PHP. Missing on screens without the preview. */
export const about = window.pillionPreview;
const { __ } = wp.i18n;

/** WordPress 6.6 moved the slots to another package. */
export const slot = (name: string) => wp.editor[name] ?? wp.editPost[name];

const currentPost = () => wp.data.select('core/editor').getCurrentPostId();

/**
 * Sends a request to a route of the preview. `wp.apiFetch` renews an expired nonce.
 * @param name Last part of the route: `live`, `token`, `links` or `check`.
 * @param options Of `wp.apiFetch`.
 * @param post Default: the one in the editor.
 * @throws WordPress' response with `code` and `message`; `code` is `fetch_error` without a response.
 */
export const ask = (name: string, options: object = {}, post: number | string = currentPost()) =>
  wp.apiFetch({ path: `/pillion/v1/preview/${post}/${name}`, ...options });

/**
 * Ids of the top-level blocks in their order. If the editor shows the page inside its template, they are inner blocks
 * of the content block.
 */
const topBlocks = () => {
  const { getBlockOrder, getBlocksByName } = wp.data.select('core/block-editor');
  const [content] = getBlocksByName?.('core/post-content') ?? [];
  return getBlockOrder(content);
};

/** @returns Index of the top-level block that is selected or contains the selection; -1 without a selection. */
export const selectedTop = () => {
  const { getBlockParents, getBlockSelectionStart } = wp.data.select('core/block-editor');
  const selected = getBlockSelectionStart();
  if (!selected) return -1;
  const line = [...getBlockParents(selected), selected];
  return topBlocks().findIndex((id: string) => line.includes(id));
};

/** The document in which the page is edited. WordPress 6.1 does not use a frame. */
const canvas = () => document.querySelector('iframe[name="editor-canvas"]')?.contentDocument ?? document;

const isCalm = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The block's element, which may not be rendered yet. @param id Of the block. */
const elementOf = async (id: string) => {
  for (let frames = 0; frames < 60; frames += 1) {
    const found = canvas().querySelector(`[data-block="${id}"]`);
    if (found) return found;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return null;
};

const TEXT = '[contenteditable="true"]';

/** The text of a block that gets the cursor: its headline, or else its first text. */
const firstText = (block: Element) =>
  block.matches(TEXT) ? block : (block.querySelector(`:is(h1, h2, h3)${TEXT}`) ?? block.querySelector(TEXT));

/** Puts the cursor at the end of a field. */
const placeCursor = (field: HTMLElement) => {
  field.focus({ preventScroll: true });
  field.ownerDocument.getSelection()?.selectAllChildren(field);
  field.ownerDocument.getSelection()?.collapseToEnd();
};

/**
 * Selects a top-level block, scrolls to it and puts the cursor into its text.
 * @param index Index of the top-level block.
 */
export const goToBlock = async (index: number) => {
  const ids = topBlocks();
  // The paragraphs of a classic text are one block.
  const id = ids[index] ?? ids.at(-1);
  if (!id) return;
  wp.data.dispatch('core/block-editor').selectBlock(id);
  const block = await elementOf(id);
  block?.scrollIntoView({ block: 'center', behavior: isCalm() ? 'auto' : 'smooth' });
  const field = block && firstText(block);
  if (field) placeCursor(field);
  else block?.focus({ preventScroll: true });
};

/** Error codes of `wp.apiFetch` for a missing response. */
const NO_ANSWER = ['fetch_error', 'offline_error'];

/** A text about why WordPress refused or did not respond. */
// biome-ignore lint/suspicious/noExplicitAny: anything can be thrown.
export const reasonOf = (error: any) => {
  if (NO_ANSWER.includes(error?.code) || error?.name === 'AbortError')
    return __('WordPress does not respond.', 'pillion');
  // The block editor also edits patterns, and templates, whose ids are no numbers.
  const noPage = __('The site has no page for this. It is a part of other pages, or the page was deleted.', 'pillion');
  const reasons: Record<string, string> = {
    rest_not_logged_in: __('You are no longer logged in. Log in again in another tab.', 'pillion'),
    rest_cookie_invalid_nonce: __('You are no longer logged in. Log in again in another tab.', 'pillion'),
    rest_forbidden: __('You are no longer allowed to edit this page.', 'pillion'),
    pillion_preview_rights: __('You are no longer allowed to edit this page.', 'pillion'),
    pillion_preview_gone: noPage,
    rest_no_route: noPage,
  };
  return reasons[error?.code] ?? error?.message ?? __('WordPress responded with an error.', 'pillion');
};

/** Time until a site without a response counts as silent, and then until the next try. In milliseconds. */
const SILENT_MS = 10_000;
const AGAIN_MS = 20_000;
/** Shortest time between two tokens while the site rejects them. In milliseconds. */
const RENEWED_MS = 10_000;

interface OpeningHooks {
  /** `reason`: why WordPress refused. */
  tell(state: 'opening' | 'silent' | 'refused', reason?: string): void;
  /** `number` differs each time. */
  show(address: { url: string; origin: string; number: number }): void;
}

/**
 * Opens the site's page with a new token, and again if there is no token or the site does not respond.
 * @param post Id of the page. Default: the one in the editor.
 */
export const createOpening = ({ tell, show }: OpeningHooks, post?: string) => {
  let timer = 0;
  let number = 0;
  let startedAt = 0;

  async function start() {
    stop();
    const mine = number;
    startedAt = Date.now();
    tell('opening');
    try {
      const { url } = await ask('token', { method: 'POST', data: { kind: 'pane' } }, post);
      if (mine !== number) return;
      show({ url, origin: new URL(url).origin, number });
      timer = setTimeout(() => {
        tell('silent');
        timer = setTimeout(start, AGAIN_MS);
      }, SILENT_MS);
    } catch (error) {
      if (mine !== number) return;
      tell('refused', reasonOf(error));
      timer = setTimeout(start, AGAIN_MS);
    }
  }

  /** Also while WordPress makes a token. */
  function stop() {
    number += 1;
    clearTimeout(timer);
  }

  /** For a token that the site rejects. */
  function renew() {
    clearTimeout(timer);
    timer = setTimeout(start, startedAt + RENEWED_MS - Date.now());
  }

  return { start, stop, renew, responded: () => clearTimeout(timer) };
};

/** A preference of this user, stored by WordPress. */
export const usePreference = <Value>(name: string, otherwise: Value): [Value, (value: Value) => void] => {
  const value = wp.data.useSelect((select) => select('core/preferences').get('pillion/preview', name), [name]);
  return [value ?? otherwise, (chosen) => wp.data.dispatch('core/preferences').set('pillion/preview', name, chosen)];
};
