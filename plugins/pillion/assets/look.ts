// Pillion → Look: shows the site with the values of the form, and names text that cannot be read.
import type { FromEditor, HeardFrom, LowContrast, ToEditor } from '@pillion/content/preview/pane-messages.ts';
import { createOpening } from './preview/kit.ts';

const { __, sprintf } = wp.i18n;
const form = document.querySelector('#pillion-look');
const pane = document.querySelector('.pillion-look-pane');
const problemsLine = document.querySelector('#pillion-look-problems');
const fields = [...(form?.querySelectorAll('[data-token]') ?? [])];

/** The site is shown as in a window of this width, in CSS pixels. */
const WIDTH = 1280;
/** Pause after the last change before the site shows it, in milliseconds: a colour picker changes with each move. */
const PAUSE_MS = 80;
/** Pause before values that the site could not show are sent again. In milliseconds. */
const AGAIN_MS = 20_000;

const isColour = (value: string) => /^#[\da-f]{6}$/i.test(value);
/** Names of all colours, also of those without a field. */
const labels: Record<string, string> = JSON.parse(form?.dataset.labels ?? '{}');
const labelOf = (path: string) => labels[path] ?? path;

/** Adds the browser's colour picker to each field. */
function addPickers(changed: () => void) {
  for (const field of fields) {
    if (field.type !== 'text') continue;
    const picker = Object.assign(document.createElement('input'), { type: 'color' });
    picker.setAttribute('aria-label', sprintf(__('Choose: %s', 'pillion'), field.labels[0].textContent));
    const follow = () => {
      const value = field.value.trim() || field.placeholder;
      if (isColour(value)) picker.value = value;
    };
    follow();
    field.before(picker);
    field.addEventListener('input', follow);
    picker.addEventListener('input', () => {
      field.value = picker.value;
      changed();
    });
  }
}

const values = () =>
  Object.fromEntries(fields.map(({ dataset, value }) => [dataset.token, value.trim()]).filter(([, value]) => value));

const sentence = ({ path, grounds, ratio, asked, nearest }: LowContrast) =>
  sprintf(
    // translators: 1: name of a colour, 2: names of the colours behind it, 3: and 4: contrasts, 5: a colour.
    __(
      '%1$s cannot be read on %2$s: the contrast is %3$s and must be %4$s. The nearest colour that works is %5$s.',
      'pillion',
    ),
    labelOf(path),
    grounds.map(labelOf).join(', '),
    ratio.toLocaleString(document.documentElement.lang),
    asked.toLocaleString(document.documentElement.lang),
    nearest,
  );

function showProblems(problems: LowContrast[]) {
  const text = problems.map(sentence).join('\n');
  if (problemsLine.textContent !== text) problemsLine.textContent = text;
  for (const field of fields) {
    const isMalformed = field.type === 'text' && field.value.trim() !== '' && !isColour(field.value.trim());
    const isProblem = isMalformed || problems.some(({ path }) => path === field.dataset.token);
    field.setAttribute('aria-invalid', String(isProblem));
  }
}

/** Fits the frame into the pane. */
function fit(frame: HTMLElement) {
  const scale = pane.clientWidth / WIDTH;
  frame.style.cssText = `width:${WIDTH}px;height:${pane.clientHeight / scale}px;transform:scale(${scale})`;
}

/** Shows the values on the site, once it is there. */
let show = () => {};

let timer = 0;
function showSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => show(), PAUSE_MS);
}

const SAYS = {
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
  let again = 0;
  const post = (message: FromEditor) => frame.contentWindow?.postMessage(message, origin);

  const opening = createOpening(
    {
      tell(state: 'opening' | 'silent' | 'refused', reason = '') {
        clearTimeout(again);
        status.textContent = { ...SAYS, refused: `${reason} ${SAYS.refused}` }[state];
        if (state === 'silent') return;
        isReady = false;
        show = state === 'refused' ? opening.start : () => {};
      },
      show(address: { url: string; origin: string }) {
        ({ origin } = address);
        if (frame.isConnected) {
          // A new `src` would be a step in the browser's history.
          frame.contentWindow?.location.replace(address.url);
        } else {
          frame.src = address.url;
          pane.append(frame);
        }
      },
    },
    pane.dataset.post,
  );

  const heard: Partial<HeardFrom<ToEditor>> = {
    ready() {
      isReady = true;
      show = () => post({ pillion: 'colours', look: values() });
      show();
    },
    coloured({ problems }) {
      opening.responded();
      clearTimeout(again);
      status.textContent = '';
      if (Array.isArray(problems)) showProblems(problems);
    },
    failed({ reason }) {
      opening.responded();
      clearTimeout(again);
      if (reason === 'expired') return opening.renew();
      status.textContent = SAYS.silent;
      again = setTimeout(show, AGAIN_MS);
    },
  };
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source === frame.contentWindow && from === origin && Object.hasOwn(heard, data?.pillion))
      heard[data.pillion as keyof typeof heard]?.(data);
  });
  // The theme whose colours are edited is shown.
  form.addEventListener('focusin', ({ target }: { target: Element }) => {
    const path = target.closest('p')?.querySelector('[data-token]')?.dataset.token ?? '';
    const theme = (['dark', 'light'] as const).find((name) => path.startsWith(`color.${name}.`));
    if (isReady && theme) post({ pillion: 'look', theme, calm: false });
  });
  new ResizeObserver(() => fit(frame)).observe(pane);
  opening.start();
}

if (form) {
  addPickers(showSoon);
  form.addEventListener('input', showSoon);
  if (pane?.dataset.post) openSite();
}
