// Pillion → Look: shows the site with the values of the form, and names text that cannot be read.
import type { FromEditor, LowContrast, MessageHandlers, ToEditor } from '@pillion/content/preview/pane-messages.ts';
import { createPaneOpener } from './preview/kit.ts';

const { __, sprintf } = wp.i18n;
const form = document.querySelector('#pillion-look');
const pane = document.querySelector('.pillion-look-pane');
const problemsLine = document.querySelector('#pillion-look-problems');
const fields = [...(form?.querySelectorAll('[data-token]') ?? [])];

/** The site is shown as in a window of this width. */
const SITE_WIDTH_PX = 1280;
/** Pause after the last change before the site shows it: a colour picker changes with each move. */
const UPDATE_DELAY_MS = 80;
/** Pause before values that the site could not show are sent again. */
const RETRY_MS = 20_000;

const isColour = (value: string) => /^#[\da-f]{6}$/i.test(value);
/** Colours are typed; typefaces are chosen in a `select`. */
const isColourField = (field: HTMLInputElement) => field.type === 'text';
/** Names of all colours, also of those without a field. */
const labels: Record<string, string> = JSON.parse(form?.dataset.labels ?? '{}');
const labelOf = (path: string) => labels[path] ?? path;

/** Adds the browser's colour picker to each colour field. The field itself can be empty, a picker cannot. */
function addColourPickers() {
  for (const field of fields) {
    if (!isColourField(field)) continue;
    const picker = Object.assign(document.createElement('input'), { type: 'color' });
    picker.setAttribute('aria-label', sprintf(__('Choose: %s', 'pillion'), field.labels[0].textContent));
    const updatePicker = () => {
      const value = field.value.trim() || field.placeholder;
      if (isColour(value)) picker.value = value;
    };
    updatePicker();
    field.before(picker);
    field.addEventListener('input', updatePicker);
    picker.addEventListener('input', () => {
      field.value = picker.value;
      scheduleUpdate();
    });
  }
}

/** Values of the form by the path of their token. An empty field is left out: its default applies. */
const readValues = () =>
  Object.fromEntries(fields.map(({ dataset, value }) => [dataset.token, value.trim()]).filter(([, value]) => value));

const contrastMessage = ({ path, grounds, ratio, asked: required, nearest }: LowContrast) =>
  sprintf(
    // translators: 1: name of a colour, 2: names of the colours behind it, 3: and 4: contrasts, 5: a colour.
    __(
      '%1$s cannot be read on %2$s: the contrast is %3$s and must be %4$s. The nearest colour that works is %5$s.',
      'pillion',
    ),
    labelOf(path),
    grounds.map(labelOf).join(', '),
    ratio.toLocaleString(document.documentElement.lang),
    required.toLocaleString(document.documentElement.lang),
    nearest,
  );

function isMalformed(field: HTMLInputElement) {
  const value = field.value.trim();
  return isColourField(field) && value !== '' && !isColour(value);
}

/** Shows the problems above the form, and marks their fields. */
function showProblems(problems: LowContrast[]) {
  const text = problems.map(contrastMessage).join('\n');
  if (problemsLine.textContent !== text) problemsLine.textContent = text;
  for (const field of fields) {
    const isProblem = isMalformed(field) || problems.some(({ path }) => path === field.dataset.token);
    field.setAttribute('aria-invalid', String(isProblem));
  }
}

/** Scales the site down to the pane's width. */
function fitFrame(frame: HTMLElement) {
  const scale = pane.clientWidth / SITE_WIDTH_PX;
  frame.style.cssText = `width:${SITE_WIDTH_PX}px;height:${pane.clientHeight / scale}px;transform:scale(${scale})`;
}

/** Sends the values to the site. Set when the site is ready; does nothing before. */
let sendValues = () => {};

let timer = 0;
function scheduleUpdate() {
  clearTimeout(timer);
  timer = setTimeout(() => sendValues(), UPDATE_DELAY_MS);
}

const STATUS_TEXTS = {
  opening: __('Opening the site…', 'pillion'),
  silent: __(
    'The site does not respond or does not accept this WordPress. An administrator can find the reason under Pillion → Site.',
    'pillion',
  ),
  refused: __('Your values stay in the form, and WordPress will try again.', 'pillion'),
};

/** Shows the site. Its token is valid for some hours and is renewed when the site rejects it. */
function openSite() {
  const status = pane.querySelector('p');
  const frame = Object.assign(document.createElement('iframe'), {
    title: __('The site with these values', 'pillion'),
  });
  let origin = '';
  let isReady = false;
  let retryTimer = 0;
  const post = (message: FromEditor) => frame.contentWindow?.postMessage(message, origin);

  const opener = createPaneOpener(
    {
      onState(state, message = '') {
        clearTimeout(retryTimer);
        status.textContent = state === 'refused' ? `${message} ${STATUS_TEXTS.refused}` : STATUS_TEXTS[state];
        if (state === 'silent') return;
        isReady = false;
        // If WordPress refused, the next change of the form opens the site again.
        sendValues = state === 'refused' ? opener.open : () => {};
      },
      onAddress({ url, ...address }) {
        ({ origin } = address);
        if (frame.isConnected) {
          // A new `src` would be a step in the browser's history.
          frame.contentWindow?.location.replace(url);
        } else {
          frame.src = url;
          pane.append(frame);
        }
      },
    },
    pane.dataset.post,
  );

  const handlers: Partial<MessageHandlers<ToEditor>> = {
    ready() {
      isReady = true;
      sendValues = () => post({ pillion: 'colours', look: readValues() });
      sendValues();
    },
    coloured({ problems }) {
      opener.cancelTimeout();
      clearTimeout(retryTimer);
      status.textContent = '';
      if (Array.isArray(problems)) showProblems(problems);
    },
    failed({ reason }) {
      opener.cancelTimeout();
      clearTimeout(retryTimer);
      if (reason === 'expired') return opener.scheduleRenewal();
      status.textContent = STATUS_TEXTS.silent;
      retryTimer = setTimeout(sendValues, RETRY_MS);
    },
  };
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source === frame.contentWindow && from === origin && Object.hasOwn(handlers, data?.pillion))
      handlers[data.pillion as keyof typeof handlers]?.(data);
  });
  // The theme whose colours are edited is shown.
  form.addEventListener('focusin', ({ target }: { target: Element }) => {
    const path = target.closest('p')?.querySelector('[data-token]')?.dataset.token ?? '';
    const theme = (['dark', 'light'] as const).find((name) => path.startsWith(`color.${name}.`));
    if (isReady && theme) post({ pillion: 'look', theme, calm: false });
  });
  new ResizeObserver(() => fitFrame(frame)).observe(pane);
  opener.open();
}

if (form) {
  addColourPickers();
  form.addEventListener('input', scheduleUpdate);
  if (pane?.dataset.post) openSite();
}
