// Asks for the receipt of what was just saved, and shows it: in the block editor among its own notices, elsewhere above
// the screen. Asked here and not while saving, so that nobody waits for the site to be able to save.
{
  const ID = 'pillion-receipt';
  /** A save fires several requests; they are asked about together. In milliseconds. */
  const TOGETHER_MS = 50;
  /** A receipt that takes longer is announced. In milliseconds. */
  const PATIENCE_MS = 1500;
  /** Longer than the server's own patience with the site. In milliseconds. */
  const LONGEST_MS = 20000;
  /** Saved by the editor for itself; the site shows none of it. */
  const PRIVATE = /\/autosaves|\/users\/|\/wp\/v2\/(types|templates|global-styles)|pillion\/v1/;

  const about = window.pillionReceipts;
  const { wp, jQuery } = window;
  const inEditor = about.inEditor && Boolean(wp?.data?.dispatch('core/notices') && wp.apiFetch);

  /** @returns The receipt; `null` where WordPress itself did not answer. */
  async function ask() {
    try {
      const response = await fetch(about.url, {
        method: 'POST',
        headers: { 'X-WP-Nonce': about.nonce },
        credentials: 'same-origin',
        signal: AbortSignal.timeout(LONGEST_MS),
      });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }

  const link = ({ label, url }) => ({ label, url });

  function showInEditor({ state, text, ...there }) {
    const { createNotice, removeNotice } = wp.data.dispatch('core/notices');
    const kinds = { live: 'success', waiting: 'warning', asking: 'info' };
    // What went wrong stays until it is read; the rest goes as WordPress' own "Page updated" does.
    const type = state === 'waiting' ? 'default' : 'snackbar';
    const actions = { live: [link(there)], waiting: [{ label: about.retry, onClick: receive }] }[state] ?? [];
    // A notice keeps the type it was made with.
    removeNotice(ID);
    return createNotice(kinds[state], text, { id: ID, type, actions, explicitDismiss: state === 'live' });
  }

  /** There from the start, so that screen readers hear what comes into it. */
  function makeRegion() {
    const region = document.createElement('div');
    region.setAttribute('role', 'status');
    region.dataset.pillionReceipt = '';
    const heading = document.querySelector('.wrap .wp-header-end') ?? document.querySelector('.wrap h1, .wrap h2');
    if (heading) heading.after(region);
    else document.querySelector('#wpbody-content')?.prepend(region);
    return region;
  }

  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  function showOnScreen(region, { state, text, url, label }) {
    region.replaceChildren();
    const kinds = { live: 'success', waiting: 'warning', asking: 'info' };
    const line = element('p', {}, text);
    if (state === 'live') line.append(' ', element('a', { href: url, textContent: label }));
    if (state === 'waiting')
      line.append(
        ' ',
        element('button', { type: 'button', className: 'button', textContent: about.retry, onclick: receive }),
      );
    const close = element('button', {
      type: 'button',
      className: 'notice-dismiss',
      onclick: () => region.replaceChildren(),
    });
    close.append(element('span', { className: 'screen-reader-text', textContent: about.dismiss }));
    region.append(element('div', { className: `notice notice-${kinds[state]} is-dismissible inline` }, line, close));
  }

  const region = inEditor ? null : makeRegion();
  const clear = () => (inEditor ? wp.data.dispatch('core/notices').removeNotice(ID) : region.replaceChildren());
  let shown = 'none';

  function show(receipt) {
    // Nothing was changed since: the receipt that stands is still the last one.
    if (receipt.state === 'none' && shown !== 'asking') return;
    shown = receipt.state;
    if (shown === 'none') clear();
    else if (inEditor) showInEditor(receipt);
    else showOnScreen(region, receipt);
  }

  let isAsking = false;
  let isDue = false;

  /** One question at a time; what is saved meanwhile is asked about afterwards. */
  async function receive() {
    isDue = true;
    if (isAsking) return;
    isAsking = true;
    while (isDue) {
      isDue = false;
      const patience = setTimeout(() => show({ state: 'asking', text: about.waiting }), PATIENCE_MS);
      const receipt = await ask();
      clearTimeout(patience);
      show(receipt ?? { state: 'waiting', text: about.silent });
    }
    isAsking = false;
  }

  let timer;
  function receiveSoon() {
    clearTimeout(timer);
    timer = setTimeout(receive, TOGETHER_MS);
  }

  /** Whatever the block editor saves goes through here: the page, a picture's description, boxes of plugins. */
  function watchEditor() {
    wp.apiFetch.use((options, next) => {
      const answer = next(options);
      const { method = 'GET', path = '', url = '' } = options;
      if (method !== 'GET' && method !== 'OPTIONS' && !PRIVATE.test(path || url)) answer.then(receiveSoon, () => {});
      return answer;
    });
  }

  if (inEditor) watchEditor();
  // Quick edit and the media library save without leaving the screen.
  jQuery?.(document).on('ajaxComplete', (_event, request) => {
    if (request.getResponseHeader?.('X-Pillion-Changed')) receiveSoon();
  });
  // Gravity Forms' editor saves with the browser's own fetch. What we ask ourselves says nothing of a change.
  const ownFetch = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await ownFetch.apply(window, asked);
    if (!inEditor && answer.headers.get('X-Pillion-Changed')) receiveSoon();
    return answer;
  };
  if (about.isDue) receive();
}
