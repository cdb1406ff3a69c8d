// Shared parts of the preview. No build: WordPress' packages are globals.
{
  const { wp } = window;
  const about = window.pillionPreview;
  const { __ } = wp.i18n;

  /** WordPress 6.6 moved the slots to another package. */
  const slot = (name) => wp.editor[name] ?? wp.editPost[name];

  const currentPost = () => wp.data.select('core/editor').getCurrentPostId();

  /**
   * Sends a request to a route of the preview. `wp.apiFetch` renews an expired nonce.
   * @param {string} name Last part of the route: `live`, `token`, `links` or `check`.
   * @param {object} options Of `wp.apiFetch`.
   * @param {number|string} post Default: the one in the editor.
   * @throws WordPress' response with `code` and `message`; `code` is `fetch_error` without a response.
   */
  const ask = (name, options = {}, post = currentPost()) =>
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
  const selectedTop = () => {
    const { getBlockParents, getBlockSelectionStart } = wp.data.select('core/block-editor');
    const selected = getBlockSelectionStart();
    if (!selected) return -1;
    const line = [...getBlockParents(selected), selected];
    return topBlocks().findIndex((id) => line.includes(id));
  };

  /** The document in which the page is edited. WordPress 6.1 does not use a frame. */
  const canvas = () => document.querySelector('iframe[name="editor-canvas"]')?.contentDocument ?? document;

  const isCalm = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

  /** The block's element, which may not be rendered yet. @param {string} id Of the block. */
  const elementOf = async (id) => {
    for (let frames = 0; frames < 60; frames += 1) {
      const found = canvas().querySelector(`[data-block="${id}"]`);
      if (found) return found;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return null;
  };

  const TEXT = '[contenteditable="true"]';

  /** The text of a block that gets the cursor: its headline, or else its first text. */
  const firstText = (block) =>
    block.matches(TEXT) ? block : (block.querySelector(`:is(h1, h2, h3)${TEXT}`) ?? block.querySelector(TEXT));

  /** Puts the cursor at the end of a field. */
  const placeCursor = (field) => {
    field.focus({ preventScroll: true });
    field.ownerDocument.getSelection()?.selectAllChildren(field);
    field.ownerDocument.getSelection()?.collapseToEnd();
  };

  /**
   * Selects a top-level block, scrolls to it and puts the cursor into its text.
   * @param {number} index Index of the top-level block.
   */
  const goToBlock = async (index) => {
    const id = topBlocks()[index];
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
  const reasonOf = (error) => {
    if (NO_ANSWER.includes(error?.code) || error?.name === 'AbortError')
      return __('WordPress does not respond.', 'pillion');
    const reasons = {
      rest_not_logged_in: __('You are no longer logged in. Log in again in another tab.', 'pillion'),
      rest_cookie_invalid_nonce: __('You are no longer logged in. Log in again in another tab.', 'pillion'),
      rest_forbidden: __('You are no longer allowed to edit this page.', 'pillion'),
      pillion_preview_rights: __('You are no longer allowed to edit this page.', 'pillion'),
      pillion_preview_gone: __('This page was deleted.', 'pillion'),
    };
    return reasons[error?.code] ?? error?.message ?? __('WordPress responded with an error.', 'pillion');
  };

  /**
   * A preference of this user, stored by WordPress.
   * @returns {[unknown, (value: unknown) => void]}
   */
  const usePreference = (name, otherwise) => {
    const value = wp.data.useSelect((select) => select('core/preferences').get('pillion/preview', name), [name]);
    return [value ?? otherwise, (chosen) => wp.data.dispatch('core/preferences').set('pillion/preview', name, chosen)];
  };

  window.pillionPreviewKit = { about, ask, goToBlock, reasonOf, selectedTop, slot, topBlocks, usePreference };
}
