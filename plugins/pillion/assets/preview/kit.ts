// Shared parts of the page editor’s panels and of the preview.

/** Settings that PHP prints. Missing on screens without the preview. */
export const config = window.pillionPreview;
const { __ } = wp.i18n;

/** A component that fills a slot of the editor. WordPress 6.6 moved them to another package. */
export const editorSlot = (name: string) => wp.editor[name] ?? wp.editPost[name];

/** Meta of the edited page, and its setter; undefined for a post type without custom fields. */
export const usePostMeta = () => {
  const postType = wp.data.useSelect((select) => select('core/editor').getCurrentPostType(), []);
  return wp.coreData.useEntityProp('postType', postType, 'meta');
};

const currentPostId = () => wp.data.select('core/editor').getCurrentPostId();

/**
 * Sends a request to a route of the preview. `wp.apiFetch` renews an expired nonce.
 * @param route Its last part: `live`, `token`, `links` or `check`.
 * @param options Of `wp.apiFetch`.
 * @param postId Default: the one in the editor.
 * @throws WordPress' response with `code` and `message`; `code` is `fetch_error` without a response.
 */
export const requestPreview = (route: string, options: object = {}, postId: number | string = currentPostId()) =>
  wp.apiFetch({ path: `/pillion/v1/preview/${postId}/${route}`, ...options });

/**
 * Ids of the top-level blocks in their order. If the editor shows the page inside its template, they are inner blocks
 * of the content block.
 */
const topBlockIds = () => {
  const { getBlockOrder, getBlocksByName } = wp.data.select('core/block-editor');
  const [content] = getBlocksByName?.('core/post-content') ?? [];
  return getBlockOrder(content);
};

/** @returns Index of the top-level block that is selected or contains the selection; -1 without a selection. */
export const selectedBlockIndex = () => {
  const { getBlockParents, getBlockSelectionStart } = wp.data.select('core/block-editor');
  const selected = getBlockSelectionStart();
  if (!selected) return -1;
  const path = [...getBlockParents(selected), selected];
  return topBlockIds().findIndex((id: string) => path.includes(id));
};

/** The document with the blocks. WordPress 6.1 does not use a frame. */
const canvasDocument = () => document.querySelector('iframe[name="editor-canvas"]')?.contentDocument ?? document;

const isCalm = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** @returns The element of a block; null if it is not rendered within 60 frames. */
const waitForBlock = async (id: string) => {
  for (let frames = 0; frames < 60; frames += 1) {
    const element = canvasDocument().querySelector(`[data-block="${id}"]`);
    if (element) return element;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return null;
};

const TEXT_FIELD = '[contenteditable="true"]';

/** The text field of a block that gets the cursor: its headline, or else the first one. */
const findTextField = (block: Element) =>
  block.matches(TEXT_FIELD)
    ? block
    : (block.querySelector(`:is(h1, h2, h3)${TEXT_FIELD}`) ?? block.querySelector(TEXT_FIELD));

const moveCursorToEnd = (field: HTMLElement) => {
  field.focus({ preventScroll: true });
  field.ownerDocument.getSelection()?.selectAllChildren(field);
  field.ownerDocument.getSelection()?.collapseToEnd();
};

/** Index of the editor's block for a block of the site: the paragraphs of a classic text are one block. */
export const editorBlockIndex = (block: number) => Math.min(block, topBlockIds().length - 1);

/**
 * Selects a top-level block, scrolls to it and puts the cursor into its text.
 * @param index Index of the top-level block.
 */
export const goToBlock = async (index: number) => {
  const id = topBlockIds()[index];
  if (!id) return;
  wp.data.dispatch('core/block-editor').selectBlock(id);
  const block = await waitForBlock(id);
  block?.scrollIntoView({ block: 'center', behavior: isCalm() ? 'auto' : 'smooth' });
  const field = block && findTextField(block);
  if (field) moveCursorToEnd(field);
  else block?.focus({ preventScroll: true });
};

/** Error codes of `wp.apiFetch` for a missing response. */
const NO_RESPONSE_CODES = ['fetch_error', 'offline_error'];

/** Says why WordPress refused a request or did not respond. */
// biome-ignore lint/suspicious/noExplicitAny: anything can be thrown.
export const errorMessage = (error: any) => {
  if (NO_RESPONSE_CODES.includes(error?.code) || error?.name === 'AbortError')
    return __('WordPress does not respond.', 'pillion');
  // The block editor also edits patterns, and templates, whose ids are no numbers.
  const noPage = __('The site has no page for this. It is a part of other pages, or the page was deleted.', 'pillion');
  const messages: Record<string, string> = {
    rest_not_logged_in: __('You are no longer logged in. Log in again in another tab.', 'pillion'),
    rest_cookie_invalid_nonce: __('You are no longer logged in. Log in again in another tab.', 'pillion'),
    rest_forbidden: __('You are no longer allowed to edit this page.', 'pillion'),
    pillion_preview_rights: __('You are no longer allowed to edit this page.', 'pillion'),
    pillion_preview_gone: noPage,
    rest_no_route: noPage,
  };
  return messages[error?.code] ?? error?.message ?? __('WordPress responded with an error.', 'pillion');
};

/** Timeout of the site's page, and the pause before the next try. In milliseconds. */
const RESPONSE_TIMEOUT_MS = 10_000;
const RETRY_MS = 20_000;
/** Shortest time between two tokens while the site rejects them. In milliseconds. */
const MIN_TOKEN_INTERVAL_MS = 10_000;

interface PaneOpenerOptions {
  /** `silent`: the site does not respond. `message`: why WordPress refused. */
  onState(state: 'opening' | 'silent' | 'refused', message?: string): void;
  /** Gets the page's address. `attempt` differs each time. */
  onAddress(address: { url: string; origin: string; attempt: number }): void;
}

/**
 * Opens the site's page with a new token, and again if there is no token or the site does not respond. The caller calls
 * `cancelTimeout` when the page responds.
 * @param postId Id of the page. Default: the one in the editor.
 */
export const createPaneOpener = ({ onState, onAddress }: PaneOpenerOptions, postId?: string) => {
  let timer = 0;
  let currentAttempt = 0;
  let openedAt = 0;

  async function open() {
    cancel();
    const attempt = currentAttempt;
    openedAt = Date.now();
    onState('opening');
    try {
      const { url } = await requestPreview('token', { method: 'POST', data: { kind: 'pane' } }, postId);
      if (attempt !== currentAttempt) return;
      onAddress({ url, origin: new URL(url).origin, attempt });
      timer = setTimeout(() => {
        onState('silent');
        timer = setTimeout(open, RETRY_MS);
      }, RESPONSE_TIMEOUT_MS);
    } catch (error) {
      if (attempt !== currentAttempt) return;
      onState('refused', errorMessage(error));
      timer = setTimeout(open, RETRY_MS);
    }
  }

  /** Also ignores the response to a request that is under way. */
  function cancel() {
    currentAttempt += 1;
    clearTimeout(timer);
  }

  /** For a token that the site rejects. */
  function scheduleRenewal() {
    clearTimeout(timer);
    timer = setTimeout(open, openedAt + MIN_TOKEN_INTERVAL_MS - Date.now());
  }

  return { open, cancel, scheduleRenewal, cancelTimeout: () => clearTimeout(timer) };
};

/** A preference of this user, stored by WordPress, and its setter. */
export const usePreference = <Value>(name: string, fallback: Value): [Value, (value: Value) => void] => {
  const stored = wp.data.useSelect((select) => select('core/preferences').get('pillion/preview', name), [name]);
  return [stored ?? fallback, (value) => wp.data.dispatch('core/preferences').set('pillion/preview', name, value)];
};
