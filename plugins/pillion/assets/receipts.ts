// Requests the receipt of a save and shows it: as a notice in the block editor, or above other screens. A save does not
// wait for the site.
const ID = 'pillion-receipt';
/** Pause that collects the requests of one save, in milliseconds. */
const TOGETHER_MS = 50;
/** Time until a slow receipt is announced, in milliseconds. */
const PATIENCE_MS = 1500;
/** Timeout, longer than the server's own timeout for the site. In milliseconds. */
const LONGEST_MS = 20000;
/** Routes whose changes the site does not show. */
const PRIVATE = /\/autosaves|\/users\/|\/wp\/v2\/(types|templates|global-styles)|pillion\/v1/;

/** Kinds of notices by state. */
const KINDS: Record<string, string> = { live: 'success', waiting: 'warning', asking: 'info' };

const about = window.pillionReceipts;
const { wp, jQuery } = window;
const inEditor = about.inEditor && Boolean(wp?.data?.dispatch('core/notices') && wp.apiFetch);

/** `state`: one of `KINDS`, or `none`. */
type Receipt = { state: string; text: string; label?: string; url?: string };

/** @returns The receipt; `null` if WordPress does not respond. */
async function ask() {
  // The block editor renews its nonce after 12 hours and after a new login.
  const nonce = (inEditor && wp.apiFetch.nonceMiddleware?.nonce) || about.nonce;
  try {
    const response = await fetch(about.url, {
      method: 'POST',
      headers: { 'X-WP-Nonce': nonce },
      credentials: 'same-origin',
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function showInEditor({ state, text, label, url }: Receipt) {
  const { createNotice, removeNotice } = wp.data.dispatch('core/notices');
  // A failure stays until the user closes it. A success disappears like WordPress' “Page updated”.
  const type = state === 'waiting' ? 'default' : 'snackbar';
  const actions: Record<string, object[]> = {
    live: [{ label, url }],
    waiting: [{ label: about.retry, onClick: receive }],
  };
  // WordPress cannot change the type of a notice.
  removeNotice(ID);
  return createNotice(KINDS[state], text, {
    id: ID,
    type,
    actions: actions[state] ?? [],
    explicitDismiss: state === 'live',
  });
}

/** Created at the start, because screen readers announce changes of an existing region only. */
function makeRegion() {
  const region = document.createElement('div');
  region.setAttribute('role', 'status');
  region.dataset.pillionReceipt = '';
  const heading = document.querySelector('.wrap .wp-header-end') ?? document.querySelector('.wrap h1, .wrap h2');
  if (heading) heading.after(region);
  else document.querySelector('#wpbody-content')?.prepend(region);
  return region;
}

const element = (name: string, properties: object, ...children: (Node | string)[]) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

function showOnScreen(region: Element, { state, text, url, label }: Receipt) {
  region.replaceChildren();
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
  region.append(element('div', { className: `notice notice-${KINDS[state]} is-dismissible inline` }, line, close));
}

const region = inEditor ? null : makeRegion();
const clear = () => (inEditor ? wp.data.dispatch('core/notices').removeNotice(ID) : region?.replaceChildren());
let shown = 'none';

function show(receipt: Receipt) {
  // There was no change since, so the last receipt stays.
  if (receipt.state === 'none' && shown !== 'asking') return;
  shown = receipt.state;
  if (shown === 'none') clear();
  else if (region) showOnScreen(region, receipt);
  else showInEditor(receipt);
}

let isAsking = false;
let isDue = false;

/** Sends one request at a time. Later saves are requested afterwards. */
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

let timer = 0;
function receiveSoon() {
  clearTimeout(timer);
  timer = setTimeout(receive, TOGETHER_MS);
}

/** All saves of the block editor use `apiFetch`: the page, picture descriptions, meta boxes. */
function watchEditor() {
  wp.apiFetch.use((options: Record<string, string>, next: (options: object) => Promise<unknown>) => {
    const answer = next(options);
    const { method = 'GET', path = '', url = '' } = options;
    if (method !== 'GET' && method !== 'OPTIONS' && !PRIVATE.test(path || url)) answer.then(receiveSoon, () => {});
    return answer;
  });
}

if (inEditor) watchEditor();
// Quick edit and the media library save without leaving the screen.
jQuery?.(document).on('ajaxComplete', (_event: unknown, request: Partial<XMLHttpRequest>) => {
  if (request.getResponseHeader?.('X-Pillion-Changed')) receiveSoon();
});
// Gravity Forms' editor saves with `fetch`. The response to the receipt's own request has no such header.
const ownFetch = window.fetch;
window.fetch = async (...asked) => {
  const answer = await ownFetch.apply(window, asked);
  if (!inEditor && answer.headers.get('X-Pillion-Changed')) receiveSoon();
  return answer;
};
if (about.isDue) receive();
