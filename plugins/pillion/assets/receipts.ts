// Requests the receipt of a save and shows it: as a notice in the block editor, or above other screens. A save does not
// wait for the site.
const NOTICE_ID = 'pillion-receipt';
/** Pause that collects the requests of one save. */
const REQUEST_DELAY_MS = 50;
/** Time until a slow receipt is announced. */
const SLOW_AFTER_MS = 1500;
/** Timeout, longer than the server's own timeout for the site. */
const TIMEOUT_MS = 20000;
/** Routes whose changes the site does not show. */
const IGNORED_ROUTES = /\/autosaves|\/users\/|\/wp\/v2\/(types|templates|global-styles)|pillion\/v1/;

/** `live`: the site shows the change; `waiting`: it did not confirm it; `asking`: the response takes long. */
type ShownState = 'live' | 'waiting' | 'asking';

/** Types of notices by state. */
const NOTICE_TYPES: Record<ShownState, string> = { live: 'success', waiting: 'warning', asking: 'info' };

const config = window.pillionReceipts;
const { wp, jQuery } = window;
const inEditor = config.inEditor && Boolean(wp?.data?.dispatch('core/notices') && wp.apiFetch);

/** `label` and `url`: the link to the page, once it is live. */
type ShownReceipt = { state: ShownState; text: string; label?: string; url?: string };
/** `none`: nothing was changed. */
type Receipt = ShownReceipt | { state: 'none' };

/** @returns The receipt; `null` if WordPress does not respond. */
async function requestReceipt(): Promise<Receipt | null> {
  // The block editor renews its nonce after 12 hours and after a new login.
  const nonce = (inEditor && wp.apiFetch.nonceMiddleware?.nonce) || config.nonce;
  try {
    const response = await fetch(config.url, {
      method: 'POST',
      headers: { 'X-WP-Nonce': nonce },
      credentials: 'same-origin',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function showInEditor({ state, text, label, url }: ShownReceipt) {
  const { createNotice, removeNotice } = wp.data.dispatch('core/notices');
  // A failure stays until the user closes it. A success disappears like WordPress' “Page updated”.
  const type = state === 'waiting' ? 'default' : 'snackbar';
  const actions: Partial<Record<ShownState, object[]>> = {
    live: [{ label, url }],
    waiting: [{ label: config.retry, onClick: updateReceipt }],
  };
  // WordPress cannot change the type of a notice.
  removeNotice(NOTICE_ID);
  return createNotice(NOTICE_TYPES[state], text, {
    id: NOTICE_ID,
    type,
    actions: actions[state] ?? [],
    explicitDismiss: state === 'live',
  });
}

/** Created at the start, because screen readers announce changes of an existing region only. */
function createLiveRegion() {
  const region = document.createElement('div');
  region.setAttribute('role', 'status');
  region.dataset.pillionReceipt = '';
  const heading = document.querySelector('.wrap .wp-header-end') ?? document.querySelector('.wrap h1, .wrap h2');
  if (heading) heading.after(region);
  else document.querySelector('#wpbody-content')?.prepend(region);
  return region;
}

const createElement = (name: string, properties: object, ...children: (Node | string)[]) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

const createButton = (className: string, onclick: () => void, label: Node | string) =>
  createElement('button', { type: 'button', className, onclick }, label);

/** Shows a receipt as a notice of WordPress above a screen. */
function showOnScreen(region: Element, { state, text, url, label }: ShownReceipt) {
  const line = createElement('p', {}, text);
  if (state === 'live') line.append(' ', createElement('a', { href: url, textContent: label }));
  if (state === 'waiting') line.append(' ', createButton('button', updateReceipt, config.retry));
  const closeLabel = createElement('span', { className: 'screen-reader-text', textContent: config.dismiss });
  const closeButton = createButton('notice-dismiss', () => region.replaceChildren(), closeLabel);
  const className = `notice notice-${NOTICE_TYPES[state]} is-dismissible inline`;
  region.replaceChildren(createElement('div', { className }, line, closeButton));
}

const liveRegion = inEditor ? null : createLiveRegion();
const clearNotice = () =>
  inEditor ? wp.data.dispatch('core/notices').removeNotice(NOTICE_ID) : liveRegion?.replaceChildren();
let shownState: Receipt['state'] = 'none';

function showReceipt(receipt: Receipt) {
  // There was no change since, so the last receipt stays.
  if (receipt.state === 'none' && shownState !== 'asking') return;
  shownState = receipt.state;
  if (receipt.state === 'none') clearNotice();
  else if (liveRegion) showOnScreen(liveRegion, receipt);
  else showInEditor(receipt);
}

let isRequesting = false;
/** Whether something was saved since the last request began. */
let isPending = false;

/** Requests and shows the receipt, one request at a time. Later saves are requested afterwards. */
async function updateReceipt() {
  isPending = true;
  if (isRequesting) return;
  isRequesting = true;
  while (isPending) {
    isPending = false;
    const slowTimer = setTimeout(() => showReceipt({ state: 'asking', text: config.waiting }), SLOW_AFTER_MS);
    const receipt = await requestReceipt();
    clearTimeout(slowTimer);
    showReceipt(receipt ?? { state: 'waiting', text: config.silent });
  }
  isRequesting = false;
}

let timer = 0;
function scheduleUpdate() {
  clearTimeout(timer);
  timer = setTimeout(updateReceipt, REQUEST_DELAY_MS);
}

/** All saves of the block editor use `apiFetch`: the page, picture descriptions, meta boxes. */
function watchEditor() {
  wp.apiFetch.use((options: Record<string, string>, next: (options: object) => Promise<unknown>) => {
    const response = next(options);
    const { method = 'GET', path = '', url = '' } = options;
    const isSave = method !== 'GET' && method !== 'OPTIONS' && !IGNORED_ROUTES.test(path || url);
    if (isSave) response.then(scheduleUpdate, () => {});
    return response;
  });
}

if (inEditor) watchEditor();
// Quick edit and the media library save without leaving the screen.
jQuery?.(document).on('ajaxComplete', (_event: unknown, request: Partial<XMLHttpRequest>) => {
  if (request.getResponseHeader?.('X-Pillion-Changed')) scheduleUpdate();
});
// Gravity Forms' editor saves with `fetch`. The response to the receipt's own request has no such header.
const originalFetch = window.fetch;
window.fetch = async (...request) => {
  const response = await originalFetch.apply(window, request);
  if (!inEditor && response.headers.get('X-Pillion-Changed')) scheduleUpdate();
  return response;
};
if (config.isDue) updateReceipt();
