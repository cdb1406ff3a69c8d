import type { Page } from '@pillion/content/types.ts';
import { addStyles } from '../ui/add-styles.ts';
import type { PageChange } from './navigation.ts';
import styles from './page-transition.css?url';

void addStyles(styles);

/** Elements with a `view-transition-name` in the current transition. "To name" means to set it. */
let namedElements: HTMLElement[] = [];
let activeTransition: ViewTransition | undefined;

/** Scroll positions by history key. The browser restores them too late for the transition. */
const scrollPositions = new Map<string, number>();

/** Gives an element the `view-transition-name` of its counterpart on the other page. */
function setTransitionName(element: HTMLElement | null | undefined, part: 'title' | 'picture'): void {
  if (!element) return;
  element.style.viewTransitionName = part;
  namedElements.push(element);
}

function clearTransitionNames(): void {
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

const textOf = (element: Element | undefined): string => element?.textContent?.trim() ?? '';

/** The file of a picture without its size: `hero-768x480.webp` and `hero.webp` are the same picture. */
const fileWithoutSize = (image: HTMLImageElement): string => image.src.replace(/(-\d+x\d+)?\.\w+$/, '');

/** Passes a click on the root to the element at that position. */
function dispatchToElement({ target, clientX, clientY, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): void {
  const isModified = ctrlKey || metaKey || shiftKey || altKey;
  if (target !== document.documentElement || isModified) return;
  const clicked = document
    .elementFromPoint(clientX, clientY)
    ?.closest<HTMLElement>('a, button, input, select, textarea, summary, label');
  clicked?.focus();
  clicked?.click();
}

/**
 * During a transition Chromium 156 dispatches pointer events to the root only, so a click would be lost. A press ends
 * the transition, and the click is passed to the element at that position.
 */
function forwardClick(): void {
  activeTransition?.skipTransition();
  // A named function: the listener of an earlier press without a click is not added twice.
  addEventListener('click', dispatchToElement, { once: true });
}

/** Names the page title, if it is in view. */
const nameTitle = () => setTransitionName(inView('main h1')[0], 'title');

/** Names the picture in view with this file, or the first one in view. */
const namePicture = (file?: string) =>
  setTransitionName(
    inView<HTMLImageElement>('main img').find((image) => !file || fileWithoutSize(image) === file),
    'picture',
  );

/** Names the picture of a link, or the link itself if its text is the title of the target page. */
function nameLink(link: HTMLElement, title: string): void {
  const picture = link.querySelector('img');
  if (picture) setTransitionName(picture, 'picture');
  else if (textOf(link) === title) setTransitionName(link, 'title');
}

/** The link in view to this URL that shows the page's picture or title. */
function findLinkTo(url: string, title: string, file: string | undefined): HTMLElement | undefined {
  const withoutQuery = (address: string) => address.replace(/[?#].*/, '');
  return inView<HTMLAnchorElement>('a[href]').find((link) => {
    if (withoutQuery(link.href) !== withoutQuery(url)) return false;
    const picture = link.querySelector('img');
    return picture ? fileWithoutSize(picture) === file : textOf(link) === title;
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
  clearTransitionNames();
  const root = document.documentElement;
  root.dataset.direction = page.lang === root.lang ? (isBack ? 'back' : 'ahead') : 'aside';
  if (from) scrollPositions.set(from.key, scrollY);
  if (isBack) {
    nameTitle();
    namePicture();
  } else if (link instanceof HTMLElement && isInView(link)) nameLink(link, page.title);
  const oldParts = [...namedElements];

  const changePage = () => {
    if (signal.aborted) return;
    const oldPicture = oldParts.find((part) => part instanceof HTMLImageElement);
    const oldTitle = textOf(oldParts.find((part) => part !== oldPicture));
    const oldFile = oldPicture && fileWithoutSize(oldPicture);
    clearTransitionNames();
    update();
    // A page that replaces an entry, such as after a redirect, keeps the key but is a new page.
    const key = to()?.key;
    const scrollTop = key && key !== from?.key ? scrollPositions.get(key) : undefined;
    if (scrollTop === undefined) scroll();
    else scrollTo({ top: scrollTop, behavior: 'instant' });
    if (isBack) {
      const target = findLinkTo(from?.url ?? '', oldTitle, oldFile);
      if (target) nameLink(target, oldTitle);
    } else if (oldFile) namePicture(oldFile);
    else if (oldTitle) nameTitle();
  };

  const transition = document.startViewTransition(changePage);
  activeTransition = transition;
  addEventListener('pointerdown', forwardClick, { once: true });
  // Rejects if the browser skips the animation; the page changes anyway.
  transition.ready.catch(() => {});
  const cleanUp = () => {
    if (activeTransition !== transition) return;
    clearTransitionNames();
    delete root.dataset.direction;
    removeEventListener('pointerdown', forwardClick);
  };
  transition.finished.then(cleanUp, cleanUp);
  await transition.updateCallbackDone;
}
