import type { Page, PreviewBoot, RenderedDraft, Theme } from '@pillion/content/types.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import type { Site } from '../site/site.ts';
import type { Template } from '../templates/template.ts';
import { blockAt, elementOf } from './blocks.ts';
import { createDrafts, type FailedReason } from './drafts.ts';
import { createMark } from './mark.ts';
import { fromEditor } from './messages.ts';
import type { Fragments } from './section-elements.ts';

export interface PaneOptions {
  preview: PreviewBoot;
  site: Site;
  engines: Engines;
  /** Fetches all that a page needs to be shown whole. */
  prepare: (page: Page) => Promise<Template>;
  fragments: Fragments;
  /** Shows the page moving (`full`) or still (`reduced`); `null`: as the system asks. */
  showMotion: (motion: string | null) => void;
}

type ToEditor =
  | { pillion: 'ready' }
  | { pillion: 'shown'; n: number }
  | { pillion: 'failed'; n: number; reason: FailedReason }
  | { pillion: 'picked'; block: number };

/** Runs the page beside the block editor: shows what is typed there, and tells it what is clicked here. */
export function startPane({ preview, site, engines, prepare, fragments, showMotion }: PaneOptions): void {
  // Also in a tab without an editor: no Referer names the pane, so the server would store the form as a visitor's.
  addEventListener('submit', refuse, true);
  const { editor, token } = preview;
  const main = document.querySelector('main');
  // In a window of its own, on a second screen, the editor has opened it; else it is the frame's parent.
  const other: Window | null = window.opener ?? (window.parent === window ? null : window.parent);
  if (!main || !other || !editor || !token) return;
  const send = (message: ToEditor) => other.postMessage(message, editor);

  let { blocks } = preview;
  /** What the editor themselves chose on the site. */
  const own = document.documentElement.dataset.motion ?? null;
  let theme: Theme | null = null;
  let selected: number | null = null;
  const mark = createMark();

  const applyHead = () => {
    const { page } = site.view();
    const root = document.documentElement;
    document.title = page.meta.title;
    root.lang = page.lang;
    root.dataset.theme = theme ?? page.theme;
    root.dataset.template = page.template ?? '';
  };
  const shown = () => ({ sections: site.view().page.sections, blocks, fragments });
  const place = () => {
    const element = selected === null ? null : elementOf(selected, shown());
    mark.around(element);
    return element;
  };

  const { path } = site.view().page;
  /** Counts the drafts whose own code threw. A page under another path is drawn anew, and leaves such an error behind. */
  let falls = 0;
  const drafts = createDrafts({
    token,
    async show(n, answer: RenderedDraft) {
      const template = await prepare(answer.page);
      return () => {
        blocks = answer.blocks;
        // Under its first path, whatever is typed as its address: another path would begin the page, and the scene, anew.
        site.show({ template, page: { ...answer.page, path: falls ? `${path}#${falls}` : path } });
        whenPainted(() => {
          applyHead();
          place();
          if (showsError(main)) {
            falls += 1;
            send({ pillion: 'failed', n, reason: 'failed' });
          } else send({ pillion: 'shown', n });
        });
      };
    },
    onFailed: (n, reason) => send({ pillion: 'failed', n, reason }),
  });

  addEventListener('message', (event) => {
    if (event.origin !== editor || event.source !== other) return;
    const message = fromEditor(event.data);
    switch (message?.pillion) {
      case 'draft':
        drafts.take(message.n, message.draft);
        break;
      case 'select': {
        selected = message.block;
        engines.stage.whenPlaying(() => {
          const element = place();
          if (element) bringIntoView(element, engines);
        });
        break;
      }
      case 'look':
        theme = message.theme;
        showMotion(message.calm ? 'reduced' : own);
        applyHead();
        break;
    }
  });
  pickByClick((target) => {
    const block = blockAt(target, shown());
    if (block === null) return;
    selected = block;
    place();
    send({ pillion: 'picked', block });
  });
  const begin = () => (isHydrated(engines) ? send({ pillion: 'ready' }) : setTimeout(begin));
  begin();
}

/** Whether the page's error boundary shows the error page because a component has thrown. */
const showsError = (main: Element): boolean => main.querySelector(':scope > [data-kind="error"]') !== null;

/**
 * Whether React has hydrated the page: before that it cannot show another one. Hydrating registers the hero's parts, and
 * the stage of a page without a hero opens at once.
 */
const isHydrated = ({ stage }: Engines): boolean => stage.parts().size > 0 || stage.heroCanPlay();

/** Runs `work` once the browser has painted what is on the page now; a hidden window paints nothing and is not waited for. */
function whenPainted(work: () => void): void {
  if (document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
}

/** Scrolls to `element` where it is not in view: to its beginning, or to its middle where it fits. */
function bringIntoView(element: Element, { scroll }: Engines): void {
  const { top, bottom, height } = element.getBoundingClientRect();
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const isInView = top >= header && bottom <= innerHeight;
  const fillsView = top <= header && bottom >= innerHeight;
  if (isInView || fillsView) return;
  const room = innerHeight - header;
  scroll.to(scrollY + top - header - Math.max(0, (room - height) / 2));
}

function refuse(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** In the pane links lead nowhere: a click picks what it hits. */
function pickByClick(pick: (target: Element) => void): void {
  const isLink = (target: EventTarget | null) =>
    target instanceof Element && target.closest('a[href], area[href]') !== null;
  const onClick = (event: Event) => {
    // Whatever would follow the link or hear the click on it: the browser, React, the scroll engine.
    if (isLink(event.target)) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (event.type === 'click' && event.target instanceof Element) pick(event.target);
  };
  for (const type of ['click', 'auxclick']) addEventListener(type, onClick, true);
  addEventListener('dragstart', refuse, true);
}
