import type { ToEditor } from '@pillion/content/preview/pane-messages.ts';
import type { Page, PreviewBoot, RenderedDraft, Theme } from '@pillion/content/types.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import type { Site } from '../site/site.ts';
import type { Template } from '../templates/template.ts';
import { blockAt, elementOf } from './blocks.ts';
import { createColours } from './colours.ts';
import { createDrafts, fromEditor } from './drafts.ts';
import { createMark } from './mark.ts';
import type { Fragments } from './section-elements.ts';

export interface PaneOptions {
  preview: PreviewBoot;
  site: Site;
  engines: Engines;
  /** Fetches all code and styles that the page needs. */
  prepare: (page: Page) => Promise<Template>;
  fragments: Fragments;
  /** Sets the motion, `full` or `reduced`; `null` for the system's setting. */
  showMotion: (motion: string | null) => void;
}

/** Runs the pane next to the block editor: shows the editor's drafts, and reports clicks on blocks. */
export function startPane({ preview, site, engines, prepare, fragments, showMotion }: PaneOptions): void {
  const { editor, token } = preview;
  const main = document.querySelector('main');
  // The editor is the opener of a separate window, or the parent of the frame.
  const other: Window | null = window.opener ?? (window.parent === window ? null : window.parent);
  if (!main || !other || !editor || !token) return;
  const send = (message: ToEditor) => other.postMessage(message, editor);

  let { blocks } = preview;
  /** The editor's own choice on the site. */
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
  /** Number of drafts whose code threw. After an error the path changes, because React then remounts the page. */
  let falls = 0;
  const drafts = createDrafts({
    token,
    async show(n, answer: RenderedDraft) {
      const template = await prepare(answer.page);
      return () => {
        blocks = answer.blocks;
        // Keep the first path even if the editor changes the slug: a new path would remount the page and restart the
        // scene.
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

  const colours = createColours({
    token,
    onShown: (problems) => send({ pillion: 'coloured', problems }),
    onFailed: (reason) => send({ pillion: 'failed', n: null, reason }),
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
      case 'colours':
        void colours(message.look);
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

/** Whether the error boundary shows the error page. */
const showsError = (main: Element): boolean => main.querySelector(':scope > [data-kind="error"]') !== null;

/**
 * Whether React has hydrated the page, and can show another one. Hydration registers the hero's parts; the stage of a
 * page without a hero opens at once.
 */
const isHydrated = ({ stage }: Engines): boolean => stage.parts().size > 0 || stage.heroCanPlay();

/** Runs `work` after the next paint; at once in a hidden window, because that does not paint. */
function whenPainted(work: () => void): void {
  if (document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
}

/** Scrolls to `element` if it is not in view: to its middle if it fits the window, otherwise to its start. */
function bringIntoView(element: Element, { scroll }: Engines): void {
  const { top, bottom, height } = element.getBoundingClientRect();
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const isInView = top >= header && bottom <= innerHeight;
  const fillsView = top <= header && bottom >= innerHeight;
  if (isInView || fillsView) return;
  const room = innerHeight - header;
  scroll.to(scrollY + top - header - Math.max(0, (room - height) / 2));
}

/** Stops an event and what the browser would do. */
export function refuse(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Clicks in the pane select an element instead of following links. */
function pickByClick(pick: (target: Element) => void): void {
  const isLink = (target: EventTarget | null) =>
    target instanceof Element && target.closest('a[href], area[href]') !== null;
  const onClick = (event: Event) => {
    // Stop all that would handle the link: the browser, React, the scroll engine.
    if (isLink(event.target)) refuse(event);
    if (event.type === 'click' && event.target instanceof Element) pick(event.target);
  };
  for (const type of ['click', 'auxclick']) addEventListener(type, onClick, true);
  addEventListener('dragstart', refuse, true);
}
