import { type NavigateEvent, platformNavigation } from '@pillion/lib/browser/navigation-api.ts';
import { isCalm } from '@pillion/lib/browser/visitor.ts';
import { scrollToElement } from './scroll-to.ts';

/** What a hash leads to: an element by its id, or the page's beginning (`#`, `#top`); `null` where it leads nowhere. */
export function targetOf(url: string): HTMLElement | null {
  const id = url.slice(url.indexOf('#') + 1);
  const element = document.getElementById(id) ?? document.getElementById(decoded(id));
  return element ?? (/^(?:top)?$/i.test(id) ? document.documentElement : null);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** A link to the hash that the address has already is no change of it, but a wish to go there all the same. */
const isHashNavigation = ({ destination, hashChange, navigationType, userInitiated }: NavigateEvent) =>
  destination.sameDocument && (hashChange || userInitiated) && /^(?:push|replace)$/.test(navigationType);

/**
 * Makes every way to a hash of this page a smooth jump that moves focus along. Address and history stay the browser's:
 * Back restores where the visitor was. Calm visitors, and browsers without the Navigation API, have the browser's own jump.
 * @param onLeaving Called before any navigation: what moves the page then would spoil the place that is kept or restored.
 */
export function followHashes(onLeaving: () => void, signal: AbortSignal): void {
  platformNavigation()?.addEventListener(
    'navigate',
    (event) => {
      const navigate = event as NavigateEvent;
      onLeaving();
      if (!navigate.canIntercept || !isHashNavigation(navigate) || isCalm()) return;
      const target = targetOf(navigate.destination.url);
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
