import { type NavigateEvent, platformNavigation } from '@pillion/lib/browser/navigation-api.ts';
import { isCalm } from '@pillion/lib/browser/visitor.ts';
import { scrollToElement } from './scroll-to.ts';

/**
 * @returns The target of a hash: an element by its id, or the root for `#` and `#top`; `null` if there is no target.
 */
export function hashTarget(url: string): HTMLElement | null {
  const id = url.slice(url.indexOf('#') + 1);
  const element = document.getElementById(id) ?? document.getElementById(decodeHash(id));
  return element ?? (/^(?:top)?$/i.test(id) ? document.documentElement : null);
}

function decodeHash(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** A click on a link to the current hash is no `hashChange`, but the visitor still wants to go there. */
const isHashNavigation = ({ destination, hashChange, navigationType, userInitiated }: NavigateEvent) =>
  destination.sameDocument && (hashChange || userInitiated) && /^(?:push|replace)$/.test(navigationType);

/**
 * Scrolls smoothly to hashes of this page, and moves focus to the target. The browser keeps control of URL and history:
 * Back restores the old position. With reduced motion, or without the Navigation API, the browser jumps by itself.
 * @param onNavigate Called before any navigation, to stop movement that would change the position being saved or
 * restored.
 */
export function scrollToHashes(onNavigate: () => void, signal: AbortSignal): void {
  platformNavigation()?.addEventListener(
    'navigate',
    (event) => {
      const navigate = event as NavigateEvent;
      onNavigate();
      if (!navigate.canIntercept || !isHashNavigation(navigate) || isCalm()) return;
      const target = hashTarget(navigate.destination.url);
      if (!target) return;
      navigate.intercept({
        focusReset: 'manual',
        scroll: 'manual',
        handler: async () => scrollToElement(target),
      });
    },
    { signal },
  );
}
