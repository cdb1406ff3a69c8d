import type { Page } from '@pillion/content/types.ts';
import { addStyles } from '../ui/add-styles.ts';
import type { Way } from './navigation.ts';
import styles from './page-transition.css?url';

void addStyles(styles);

/** Elements that have a name in the running transition, which is `running`. */
let named: HTMLElement[] = [];
let running: ViewTransition | undefined;

/** Where the visitor was on the pages she left, by their keys in her history. The browser restores it too late for us. */
const places = new Map<string, number>();

/** Gives an element the name that it shares with one of the other page (`view-transition-name`). */
function name(element: HTMLElement | null | undefined, part: 'title' | 'picture'): void {
  if (!element) return;
  element.style.viewTransitionName = part;
  named.push(element);
}

function removeNames(): void {
  for (const element of named) element.style.viewTransitionName = '';
  named = [];
}

/** What is out of view would come flying from nowhere. */
function isInView(element: Element): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && bottom > 0 && top < innerHeight;
}

const inView = <Kind extends HTMLElement>(selector: string): Kind[] =>
  [...document.querySelectorAll<Kind>(selector)].filter(isInView);

const wordsOf = (element: Element | undefined): string => element?.textContent?.trim() ?? '';

/** A picture's file, whatever its size: `hero-768x480.webp` and `hero.webp` are the same one. */
const fileOf = (image: HTMLImageElement): string => image.src.replace(/(-\d+x\d+)?\.\w+$/, '');

/**
 * While a transition runs Chromium 156 finds nothing but the root under a pointer, and the click would be lost. Whoever presses
 * ends the transition, and the click goes to what stands there.
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

/** Names the title in view. */
const nameTitle = () => name(inView('main h1')[0], 'title');

/** Names the picture in view that is a link's, or else the first one. */
const namePicture = (file?: string) =>
  name(
    inView<HTMLImageElement>('main img').find((image) => !file || fileOf(image) === file),
    'picture',
  );

/** Names the picture of a link, or its words where they are the title of the page that it leads to. */
function nameLink(link: HTMLElement, title: string): void {
  const picture = link.querySelector('img');
  if (picture) name(picture, 'picture');
  else if (wordsOf(link) === title) name(link, 'title');
}

/** The link in view that stands for the page at an address: it shows its picture, or says its title. */
function linkTo(address: string, title: string, file: string | undefined): HTMLElement | undefined {
  const page = (url: string) => url.replace(/[?#].*/, '');
  return inView<HTMLAnchorElement>('a[href]').find((link) => {
    if (page(link.href) !== page(address)) return false;
    const picture = link.querySelector('img');
    return picture ? fileOf(picture) === file : wordsOf(link) === title;
  });
}

/**
 * Changes the page in one direction: ahead, or back on the browser's Back. The words of a link become the
 * title of the page it leads to, its picture that page's picture; on Back they become the link again. Between two languages
 * of a page nobody moves: one fades into the other.
 * @param page The page that `update` shows.
 * @param update Changes the page, synchronously. The browser calls it a frame later, so by then it may be outrun.
 * @param signal Aborted when another navigation has outrun this one: nothing is changed then.
 * @returns Resolves when the page has changed; the transition itself runs on.
 */
export async function changeWithTransition(
  page: Page,
  update: () => void,
  signal: AbortSignal,
  { isBack, from, to, link, scroll }: Way,
): Promise<void> {
  // The browser ends a transition that this one interrupts. What had a name in it has none in this one.
  removeNames();
  const root = document.documentElement;
  root.dataset.way = page.lang === root.lang ? (isBack ? 'back' : 'ahead') : 'aside';
  if (from) places.set(from.key, scrollY);
  if (isBack) {
    nameTitle();
    namePicture();
  } else if (link instanceof HTMLElement && isInView(link)) nameLink(link, page.title);
  const parts = [...named];

  const change = () => {
    if (signal.aborted) return;
    const picture = parts.find((part) => part instanceof HTMLImageElement);
    const title = wordsOf(parts.find((part) => part !== picture));
    const file = picture && fileOf(picture);
    removeNames();
    update();
    // What takes the place of an entry, as after a redirect, has its key and is a new page.
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
  // Rejects when the browser skips the animation; the page has changed all the same.
  transition.ready.catch(() => {});
  const end = () => {
    if (running !== transition) return;
    removeNames();
    delete root.dataset.way;
    removeEventListener('pointerdown', passClickOn);
  };
  transition.finished.then(end, end);
  await transition.updateCallbackDone;
}
