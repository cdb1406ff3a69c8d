import type { Purpose } from '@pillion/lib/consent.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import type { Site } from '../../site/site.ts';
import { addStyles } from '../../ui/add-styles.ts';
import { announce } from '../../ui/announce.ts';
import styles from './dialog.css?url';

export interface Consent {
  /** The purposes that the visitor can agree to: without marketing if their browser refuses it. */
  offered: readonly Purpose[];
  /** The visitor's consent; `null` until there is a choice. */
  granted(): readonly Purpose[] | null;
  choose(purposes: readonly Purpose[]): void;
}

/** How long the dialog confirms a withdrawn consent, in milliseconds. */
const SAID_MS = 8_000;

/** Creates an element. The dialog is no React component, so that a page to read needs no React for it. */
function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: Node[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

let host: HTMLElement | undefined;
/** Removes the dialog that is open. */
let close = () => {};

/** At the start of the document, so that the dialog comes first for keyboards and screen readers. */
function createHost(): HTMLElement {
  const created = make('div', {});
  // Clicks in the dialog do not start the music (R33).
  created.dataset.consent = '';
  document.body.prepend(created);
  return created;
}

/** Shows `content`, and calls `write` now and whenever the texts may have changed. */
function show(site: Site, content: HTMLElement, write: () => void): void {
  host ??= createHost();
  close();
  const stop = site.subscribe(write);
  close = () => {
    stop();
    content.remove();
  };
  write();
  host.append(content);
}

/** Returns focus to the opener, or to the footer's toggle if the collapsed footer hides the opener. */
const giveBackFocus = (opener: HTMLElement) =>
  afterPaint(() => {
    const isSeen = opener.checkVisibility({ visibilityProperty: true });
    const target = isSeen ? opener : opener.closest('footer')?.querySelector<HTMLElement>('[aria-expanded]');
    target?.focus({ preventScroll: true });
  });

/**
 * Opens the dialog. It is not modal: visitors can use the page without an answer. Without an answer nothing is measured.
 * @param opener The button that opened it; focus moves into the dialog, and back to the button afterwards. `null`: the
 * dialog opened by itself and does not take focus.
 * @returns A function that closes it if it is still open.
 */
export async function openDialog(site: Site, consent: Consent, opener: HTMLElement | null): Promise<() => void> {
  await addStyles(styles);
  // Another tab may have answered meanwhile.
  if (!opener && consent.granted()) return () => {};
  const texts = () => site.view().shell.strings.consent;
  let isDetailed = opener !== null;

  const leave = () => {
    close();
    if (opener) giveBackFocus(opener);
  };
  const choose = (purposes: readonly Purpose[]) => {
    const before = consent.granted() ?? [];
    consent.choose(purposes);
    if (!before.some((purpose) => !purposes.includes(purpose))) return leave();
    const said = make('p', {});
    show(site, make('div', { className: 'consent consent-said' }, said), () => {
      said.textContent = texts().withdrawn;
    });
    const closeThis = close;
    setTimeout(closeThis, SAID_MS);
    announce(texts().withdrawn);
    if (opener) giveBackFocus(opener);
  };

  const title = make('h2', { className: 'consent-title', id: 'consent-title' });
  const description = new Text();
  const policy = make('a', {});
  const about = make('p', { className: 'consent-about', id: 'consent-about' }, description, policy);
  const fields = consent.offered.map((purpose) => {
    const input = make('input', { type: 'checkbox', checked: consent.granted()?.includes(purpose) ?? false });
    return { purpose, input, text: make('span', {}) };
  });
  const signal = make('p', { className: 'consent-about', hidden: consent.offered.includes('marketing') });
  const purposes = make(
    'div',
    { className: 'consent-purposes' },
    ...fields.map(({ input, text }) => make('label', {}, input, text)),
  );
  const reject = make('button', { type: 'button', onclick: () => choose([]) });
  const accept = make('button', { type: 'button', onclick: () => choose(consent.offered) });
  const more = make('button', {
    type: 'button',
    className: 'consent-more',
    onclick({ detail }) {
      if (!isDetailed) {
        isDetailed = true;
        write();
        // Ignore the second click of a double click: the visitor has not seen the purposes yet.
      } else if (detail < 2) choose(fields.filter(({ input }) => input.checked).map(({ purpose }) => purpose));
    },
  });
  const write = () => {
    const words = texts();
    const { cookies, privacy } = site.view().shell.strings.links;
    title.textContent = words.title;
    description.data = `${words.description} `;
    signal.textContent = words.signal;
    policy.textContent = words.policy;
    policy.href = cookies ?? privacy ?? '';
    policy.hidden = !policy.getAttribute('href');
    for (const { purpose, text } of fields) text.textContent = words[purpose];
    reject.textContent = words.reject;
    accept.textContent = words.accept;
    more.textContent = isDetailed ? words.save : words.settings;
    // Moving them again would take the focus from them.
    if (isDetailed && !purposes.isConnected) signal.after(purposes);
  };
  const box = make(
    'section',
    {
      className: 'consent',
      role: 'dialog',
      tabIndex: -1,
      onkeydown(event) {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        leave();
      },
    },
    title,
    about,
    signal,
    make('div', { className: 'consent-choices' }, reject, accept),
    more,
  );
  // Here too: after a click that closes the dialog, the target is no longer inside the host.
  box.dataset.consent = '';
  box.setAttribute('aria-labelledby', title.id);
  box.setAttribute('aria-describedby', about.id);
  show(site, box, write);
  if (opener) box.focus();
  return () => {
    if (box.isConnected) leave();
  };
}
