import type { Purpose } from '@pillion/lib/consent.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import type { Site } from '../../site/site.ts';
import { addStyles } from '../../ui/add-styles.ts';
import { announce } from '../../ui/announce.ts';
import styles from './dialog.css?url';

export interface Consent {
  /** The purposes that the visitor can agree to. */
  offered: readonly Purpose[];
  /** The visitor's consent; `null` until there is a choice. */
  granted(): readonly Purpose[] | null;
  choose(purposes: readonly Purpose[]): void;
}

/** How long the dialog confirms a withdrawn consent, in milliseconds. */
const CONFIRMATION_MS = 8_000;

/** Creates an element. The dialog is no React component, so that a page to read needs no React for it. */
function createElement<Tag extends keyof HTMLElementTagNameMap>(
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
let closeCurrent = () => {};

/** At the start of the document, so that the dialog comes first for keyboards and screen readers. */
function createHost(): HTMLElement {
  const element = createElement('div', {});
  // Clicks in the dialog do not start the music (R33).
  element.dataset.consent = '';
  document.body.prepend(element);
  return element;
}

/** Shows `content`, and calls `updateTexts` now and whenever the texts may have changed. */
function showInHost(site: Site, content: HTMLElement, updateTexts: () => void): void {
  host ??= createHost();
  closeCurrent();
  const unsubscribe = site.subscribe(updateTexts);
  closeCurrent = () => {
    unsubscribe();
    content.remove();
  };
  updateTexts();
  host.append(content);
}

/** Returns focus to the opener, or to the footer's toggle if the collapsed footer hides the opener. */
const returnFocus = (opener: HTMLElement) =>
  afterPaint(() => {
    const isVisible = opener.checkVisibility({ visibilityProperty: true });
    const target = isVisible ? opener : opener.closest('footer')?.querySelector<HTMLElement>('[aria-expanded]');
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
  const currentTexts = () => site.view().shell.strings.consent;
  /** Whether the dialog shows a checkbox for each purpose, and its last button saves them. */
  let isDetailed = opener !== null;

  const closeAndReturnFocus = () => {
    closeCurrent();
    if (opener) returnFocus(opener);
  };
  /** Stores the choice and closes the dialog. A withdrawal is confirmed in its place. */
  const choose = (purposes: readonly Purpose[]) => {
    const before = consent.granted() ?? [];
    consent.choose(purposes);
    // Only a withdrawn purpose needs a confirmation.
    if (!before.some((purpose) => !purposes.includes(purpose))) return closeAndReturnFocus();
    const confirmation = createElement('p', {});
    showInHost(site, createElement('div', { className: 'consent consent-said' }, confirmation), () => {
      confirmation.textContent = currentTexts().withdrawn;
    });
    // A dialog that the visitor opens meanwhile stays open.
    const closeConfirmation = closeCurrent;
    setTimeout(closeConfirmation, CONFIRMATION_MS);
    announce(currentTexts().withdrawn);
    if (opener) returnFocus(opener);
  };

  const title = createElement('h2', { className: 'consent-title', id: 'consent-title' });
  const description = new Text();
  const policy = createElement('a', {});
  const aboutText = createElement('p', { className: 'consent-about', id: 'consent-about' }, description, policy);
  const checkboxes = consent.offered.map((purpose) => {
    const input = createElement('input', { type: 'checkbox', checked: consent.granted()?.includes(purpose) ?? false });
    return { purpose, input, text: createElement('span', {}) };
  });
  // Explains why marketing is not offered: the browser sends Global Privacy Control.
  const signalNote = createElement('p', { className: 'consent-about', hidden: consent.offered.includes('marketing') });
  const purposes = createElement(
    'div',
    { className: 'consent-purposes' },
    ...checkboxes.map(({ input, text }) => createElement('label', {}, input, text)),
  );
  const reject = createElement('button', { type: 'button', onclick: () => choose([]) });
  const accept = createElement('button', { type: 'button', onclick: () => choose(consent.offered) });
  const settings = createElement('button', {
    type: 'button',
    className: 'consent-more',
    onclick({ detail: clickCount }) {
      if (!isDetailed) {
        isDetailed = true;
        updateTexts();
        // Ignore the second click of a double click: the visitor has not seen the purposes yet.
      } else if (clickCount < 2) choose(checkboxes.filter(({ input }) => input.checked).map(({ purpose }) => purpose));
    },
  });
  const updateTexts = () => {
    const strings = currentTexts();
    const { cookies, privacy } = site.view().shell.strings.links;
    title.textContent = strings.title;
    description.data = `${strings.description} `;
    signalNote.textContent = strings.signal;
    policy.textContent = strings.policy;
    policy.href = cookies ?? privacy ?? '';
    policy.hidden = !policy.getAttribute('href');
    for (const { purpose, text } of checkboxes) text.textContent = strings[purpose];
    reject.textContent = strings.reject;
    accept.textContent = strings.accept;
    settings.textContent = isDetailed ? strings.save : strings.settings;
    // Moving them again would take the focus from them.
    if (isDetailed && !purposes.isConnected) signalNote.after(purposes);
  };
  const box = createElement(
    'section',
    {
      className: 'consent',
      role: 'dialog',
      tabIndex: -1,
      onkeydown(event) {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        closeAndReturnFocus();
      },
    },
    title,
    aboutText,
    signalNote,
    createElement('div', { className: 'consent-choices' }, reject, accept),
    settings,
  );
  // The host has this attribute too, but after a click that closes the dialog, the target is no longer inside the host.
  box.dataset.consent = '';
  box.setAttribute('aria-labelledby', title.id);
  box.setAttribute('aria-describedby', aboutText.id);
  showInHost(site, box, updateTexts);
  if (opener) box.focus();
  return () => {
    if (box.isConnected) closeAndReturnFocus();
  };
}
