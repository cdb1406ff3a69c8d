import type { Page } from '@pillion/content/types.ts';
import { addStyles } from '../ui/add-styles.ts';
import type { PageChange } from './navigation.ts';
import styles from './page-transition.css?url';

void addStyles(styles);

/** Elements with a name in the current transition. */
let namedElements: HTMLElement[] = [];
let running: ViewTransition | undefined;

/** Scroll positions by history key. The browser restores them too late for the transition. */
const places = new Map<string, number>();

/** Gives an element the `view-transition-name` of its counterpart on the other page. */
function name(element: HTMLElement | null | undefined, part: 'title' | 'picture'): void {
  if (!element) return;
  element.style.viewTransitionName = part;
  namedElements.push(element);
}

function removeNames(): void {
  for (const element of namedElements) element.style.viewTransitionName = '';
  namedElements = [];
}

/** An element out of view must not take part: it would fly in from outside. */
function isInView(element: Element): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && bottom > 0 && top < innerHeight;
}

const inView = <Kind extends HTMLElement>(selector: string): Kind[] =>
  [...document.querySelectorAll<Kind>(selector)].filter(isInView);

const wordsOf = (element: Element | undefined): string => element?.textContent?.trim() ?? '';

/** The file of a picture without its size: `hero-768x480.webp` and `hero.webp` are the same picture. */
const fileOf = (image: HTMLImageElement): string => image.src.replace(/(-\d+x\d+)?\.\w+$/, '');

/**
 * During a transition Chromium 156 dispatches pointer events to the root only, so a click would be lost. A press ends
 * the transition, and the click is passed to the element at that position.
 */
function passClickOn(): void {
  running?.skipTransition();
  const pass = ({ target, clientX, clientY, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => {
    const isModified = ctrlKey || metaKey || shiftKey || altKey;
    if (target !== document.documentElement || isModified) return;
    const control = document
      .elementFromPoint(clientX, clientY)
      ?.closest<HTMLElement>('a, button, input, select, textarea, summary, label');
    control?.focus();
    control?.click();
  };
  addEventListener('click', pass, { once: true });
}

/** Names the page title, if it is in view. */
const nameTitle = () => name(inView('main h1')[0], 'title');

/** Names the picture in view with this file, or the first one in view. */
const namePicture = (file?: string) =>
  name(
    inView<HTMLImageElement>('main img').find((image) => !file || fileOf(image) === file),
    'picture',
  );

/** Names the picture of a link, or the link itself if its text is the title of the target page. */
function nameLink(link: HTMLElement, title: string): void {
  const picture = link.querySelector('img');
  if (picture) name(picture, 'picture');
  else if (wordsOf(link) === title) name(link, 'title');
}

/** The link in view to this URL that shows the page's picture or title. */
function linkTo(address: string, title: string, file: string | undefined): HTMLElement | undefined {
  const page = (url: string) => url.replace(/[?#].*/, '');
  return inView<HTMLAnchorElement>('a[href]').find((link) => {
    if (page(link.href) !== page(address)) return false;
    const picture = link.querySelector('img');
    return picture ? fileOf(picture) === file : wordsOf(link) === title;
  });
}

/**
 * Changes the page with a transition, forward or back. The text of a link becomes the title of the target page, its
 * picture that page's picture; on Back they become the link again. Between two languages of a page there is no
 * movement, only a fade.
 * @param page The page that `update` shows.
 * @param update Changes the page, synchronously. The browser calls it a frame later, so a newer navigation may have
 * started.
 * @param signal Aborts when a newer navigation replaces this one: the page then does not change.
 * @returns Resolves when the page has changed; the transition continues.
 */
export async function changeWithTransition(
  page: Page,
  update: () => void,
  signal: AbortSignal,
  { isBack, from, to, link, scroll }: PageChange,
): Promise<void> {
  // The browser ends an interrupted transition. Its names must not remain in the new one.
  removeNames();
  const root = document.documentElement;
  root.dataset.direction = page.lang === root.lang ? (isBack ? 'back' : 'ahead') : 'aside';
  if (from) places.set(from.key, scrollY);
  if (isBack) {
    nameTitle();
    namePicture();
  } else if (link instanceof HTMLElement && isInView(link)) nameLink(link, page.title);
  const parts = [...namedElements];

  const change = () => {
    if (signal.aborted) return;
    const picture = parts.find((part) => part instanceof HTMLImageElement);
    const title = wordsOf(parts.find((part) => part !== picture));
    const file = picture && fileOf(picture);
    removeNames();
    update();
    // A page that replaces an entry, such as after a redirect, keeps the key but is a new page.
    const key = to()?.key;
    const place = key && key !== from?.key ? places.get(key) : undefined;
    if (place === undefined) scroll();
    else scrollTo({ top: place, behavior: 'instant' });
    if (isBack) {
      const target = linkTo(from?.url ?? '', title, file);
      if (target) nameLink(target, title);
    } else if (file) namePicture(file);
    else if (title) nameTitle();
  };

  const transition = document.startViewTransition(change);
  running = transition;
  addEventListener('pointerdown', passClickOn, { once: true });
  // Rejects if the browser skips the animation; the page changes anyway.
  transition.ready.catch(() => {});
  const end = () => {
    if (running !== transition) return;
    removeNames();
    delete root.dataset.direction;
    removeEventListener('pointerdown', passClickOn);
  };
  transition.finished.then(end, end);
  await transition.updateCallbackDone;
}
