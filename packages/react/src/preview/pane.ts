import type { ToEditor } from '@pillion/content/preview/pane-messages.ts';
import type { Page, PreviewBoot, RenderedDraft, Theme } from '@pillion/content/types.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import type { Site } from '../site/site.ts';
import type { Template } from '../templates/template.ts';
import { blockAt, elementOf } from './blocks.ts';
import { createColours } from './colours.ts';
import { createDrafts, parseEditorMessage } from './drafts.ts';
import type { Fragments } from './section-elements.ts';
import { createSelectionFrame } from './selection-frame.ts';

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
  const editorWindow: Window | null = window.opener ?? (window.parent === window ? null : window.parent);
  if (!main || !editorWindow || !editor || !token) return;
  const send = (message: ToEditor) => editorWindow.postMessage(message, editor);

  let { blocks } = preview;
  /** The choice that the editor made on the site as a visitor. */
  const ownMotion = document.documentElement.dataset.motion ?? null;
  /** The theme that the editor looks at; `null` for the page's. */
  let theme: Theme | null = null;
  /** Index of the block that is selected in the editor. */
  let selectedBlock: number | null = null;
  const selectionFrame = createSelectionFrame();

  /** The part of `applyHead` in navigation/head.ts that an editor can see, with the editor's theme. */
  const applyHead = () => {
    const { page } = site.view();
    const root = document.documentElement;
    document.title = page.meta.title;
    root.lang = page.lang;
    root.dataset.theme = theme ?? page.theme;
    root.dataset.template = page.template ?? '';
  };
  const shownPage = () => ({ sections: site.view().page.sections, blocks, fragments });
  /** Frames the selected block. @returns Its element; `null` if none is selected or shown. */
  const frameSelection = () => {
    const element = selectedBlock === null ? null : elementOf(selectedBlock, shownPage());
    selectionFrame.moveTo(element);
    return element;
  };

  const { path } = site.view().page;
  /** Number of drafts whose code threw. After an error the path changes, because React then remounts the page. */
  let errorCount = 0;
  const drafts = createDrafts({
    token,
    async prepare(n, draft: RenderedDraft) {
      const template = await prepare(draft.page);
      return () => {
        blocks = draft.blocks;
        // Keep the first path even if the editor changes the slug: a new path would remount the page and restart the
        // scene.
        site.show({ template, page: { ...draft.page, path: errorCount ? `${path}#${errorCount}` : path } });
        afterPaintUnlessHidden(() => {
          applyHead();
          frameSelection();
          if (isErrorShown(main)) {
            errorCount += 1;
            send({ pillion: 'failed', n, reason: 'failed' });
          } else send({ pillion: 'shown', n });
        });
      };
    },
    onFailed: (n, reason) => send({ pillion: 'failed', n, reason }),
  });

  const showColours = createColours({
    token,
    onShown: (problems) => send({ pillion: 'coloured', problems }),
    onFailed: (reason) => send({ pillion: 'failed', n: null, reason }),
  });
  addEventListener('message', (event) => {
    if (event.origin !== editor || event.source !== editorWindow) return;
    const message = parseEditorMessage(event.data);
    switch (message?.pillion) {
      case 'draft':
        drafts.show(message.n, message.draft);
        break;
      case 'select': {
        selectedBlock = message.block;
        engines.stage.whenPlaying(() => {
          const element = frameSelection();
          if (element) scrollIntoView(element, engines);
        });
        break;
      }
      case 'look':
        theme = message.theme;
        showMotion(message.calm ? 'reduced' : ownMotion);
        applyHead();
        break;
      case 'colours':
        void showColours(message.look);
        break;
    }
  });
  selectOnClick((target) => {
    const block = blockAt(target, shownPage());
    if (block === null) return;
    selectedBlock = block;
    frameSelection();
    send({ pillion: 'picked', block });
  });
  // No event reports the hydration, so this checks in each task.
  const sendReady = () => (isHydrated(engines) ? send({ pillion: 'ready' }) : setTimeout(sendReady));
  sendReady();
}

/** Whether the error boundary shows the error page. */
const isErrorShown = (main: Element): boolean => main.querySelector(':scope > [data-kind="error"]') !== null;

/**
 * Whether React has hydrated the page, and can show another one. Hydration registers the hero's parts; the stage of a
 * page without a hero opens at once.
 */
const isHydrated = ({ stage }: Engines): boolean => stage.parts().size > 0 || stage.heroCanPlay();

/** Runs `work` after the next paint; without delay in a hidden window, which does not paint (`afterPaint` would wait). */
function afterPaintUnlessHidden(work: () => void): void {
  if (document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
}

/** Scrolls to `element` if it is not in view: to its middle if it fits the window, otherwise to its start. */
function scrollIntoView(element: Element, { scroll }: Engines): void {
  const { top, bottom, height } = element.getBoundingClientRect();
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const isInView = top >= header && bottom <= innerHeight;
  const fillsView = top <= header && bottom >= innerHeight;
  if (isInView || fillsView) return;
  const visibleHeight = innerHeight - header;
  scroll.to(scrollY + top - header - Math.max(0, (visibleHeight - height) / 2));
}

/** Stops an event and the browser's default action. */
export function cancelEvent(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Clicks in the pane select an element instead of following links. */
function selectOnClick(onSelect: (target: Element) => void): void {
  const isLink = (target: EventTarget | null) =>
    target instanceof Element && target.closest('a[href], area[href]') !== null;
  const onClick = (event: Event) => {
    // Stop all that would handle the link: the browser, React, the scroll engine.
    if (isLink(event.target)) cancelEvent(event);
    if (event.type === 'click' && event.target instanceof Element) onSelect(event.target);
  };
  for (const type of ['click', 'auxclick']) addEventListener(type, onClick, true);
  addEventListener('dragstart', cancelEvent, true);
}
