// What the parts of the preview share. No build: WordPress' own packages are globals.
{
  const { wp } = window;
  const about = window.pillionPreview;
  const { __ } = wp.i18n;

  /** Moved from one package to the other in WordPress 6.6. */
  const slot = (name) => wp.editor[name] ?? wp.editPost[name];

  const currentPost = () => wp.data.select('core/editor').getCurrentPostId();

  /**
   * Asks one of the preview's own addresses in this WordPress. Refreshes the nonce by itself where it is too old.
   * @param {string} name Last part of the address: `live`, `token`, `links` or `check`.
   * @param {object} options Of `wp.apiFetch`.
   * @throws The answer of WordPress, with `code` and `message`; `code` is `fetch_error` where none came.
   */
  const ask = (name, options = {}) => wp.apiFetch({ path: `/pillion/v1/preview/${currentPost()}/${name}`, ...options });

  /**
   * Ids of the blocks at the top of the page, in their order. Where the editor shows the page inside its template, they
   * lie in the block for the page's content.
   */
  const topBlocks = () => {
    const { getBlockOrder, getBlocksByName } = wp.data.select('core/block-editor');
    const [content] = getBlocksByName?.('core/post-content') ?? [];
    return getBlockOrder(content);
  };

  /** @returns Which of the top blocks is selected, or holds what is; -1 where none is. */
  const selectedTop = () => {
    const { getBlockParents, getBlockSelectionStart } = wp.data.select('core/block-editor');
    const selected = getBlockSelectionStart();
    if (!selected) return -1;
    const line = [...getBlockParents(selected), selected];
    return topBlocks().findIndex((id) => line.includes(id));
  };

  /** The document that the page is edited in. WordPress 6.1 has no frame for it. */
  const canvas = () => document.querySelector('iframe[name="editor-canvas"]')?.contentDocument ?? document;

  const isCalm = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

  /** The block's own element; it may still be on its way to the screen. @param {string} id Of the block. */
  const elementOf = async (id) => {
    for (let frames = 0; frames < 60; frames += 1) {
      const found = canvas().querySelector(`[data-block="${id}"]`);
      if (found) return found;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return null;
  };

  const TEXT = '[contenteditable="true"]';

  /** Where the cursor goes in a block: its headline, else its first text. */
  const firstText = (block) =>
    block.matches(TEXT) ? block : (block.querySelector(`:is(h1, h2, h3)${TEXT}`) ?? block.querySelector(TEXT));

  /** Puts the cursor behind what is written in a field. */
  const placeCursor = (field) => {
    field.focus({ preventScroll: true });
    field.ownerDocument.getSelection()?.selectAllChildren(field);
    field.ownerDocument.getSelection()?.collapseToEnd();
  };

  /**
   * Selects a block at the top of the page and brings it into sight, with the cursor in its text.
   * @param {number} index Its place among the top blocks.
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

  /** What the browser calls no answer; said by `wp.apiFetch`. */
  const NO_ANSWER = ['fetch_error', 'offline_error'];

  /** Why WordPress refused or did not answer, in words. */
  const reasonOf = (error) => {
    if (NO_ANSWER.includes(error?.code) || error?.name === 'AbortError')
      return __('WordPress does not answer.', 'pillion');
    const reasons = {
      rest_not_logged_in: __('You are no longer signed in.', 'pillion'),
      rest_cookie_invalid_nonce: __('You are no longer signed in.', 'pillion'),
      rest_forbidden: __('You may no longer edit this page.', 'pillion'),
      pillion_preview_rights: __('You may no longer edit this page.', 'pillion'),
      pillion_preview_gone: __('This page was deleted.', 'pillion'),
    };
    return reasons[error?.code] ?? error?.message ?? __('WordPress answered with an error.', 'pillion');
  };

  /**
   * A preference of this user, kept by WordPress from one visit to the next.
   * @returns {[unknown, (value: unknown) => void]}
   */
  const usePreference = (name, otherwise) => {
    const value = wp.data.useSelect((select) => select('core/preferences').get('pillion/preview', name), [name]);
    return [value ?? otherwise, (chosen) => wp.data.dispatch('core/preferences').set('pillion/preview', name, chosen)];
  };

  window.pillionPreviewKit = { about, ask, goToBlock, reasonOf, selectedTop, slot, topBlocks, usePreference };
}
