import type { Page } from '@pillion/content/types.ts';
import { type RefObject, useEffect, useRef } from 'react';
import { hasHero } from '../../registry/kind-of-page.ts';

/** Position of the header and of the toggles, as observer margins that leave a horizontal line of the window. */
export const AT_HEADER = '-5% 0px -94%';
export const AT_TOGGLES = '-90% 0px -9%';

/**
 * Props of a fixed element that takes the tone of the content below it. A page with a hero starts dark; without script it
 * stays so. React removes the tone on a page without a hero.
 * @param line Position of the element, as observer margins.
 */
export function useTone<E extends HTMLElement>(
  page: Page,
  line: string,
): { ref: RefObject<E | null>; 'data-tone': 'dark' | undefined } {
  const ref = useRef<E>(null);
  useEffect(() => {
    if (ref.current && hasHero(page)) return watchTone(ref.current, line);
  }, [page, line]);
  return { ref, 'data-tone': hasHero(page) ? 'dark' : undefined };
}

/**
 * Sets the tone of `element` to that of the content on `line`: dark over a picture, otherwise the page's.
 * @returns A function that stops this.
 */
function watchTone(element: HTMLElement, line: string): () => void {
  const darkBelow = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) darkBelow[isIntersecting ? 'add' : 'delete'](target);
      element.dataset.tone = darkBelow.size > 0 ? 'dark' : 'page';
    },
    { rootMargin: line },
  );
  // On small screens the footer is in the flow and contains the toggles. On large ones it has no box (footer.module.css).
  for (const part of document.querySelectorAll('main [data-tone], footer[data-tone]')) observer.observe(part);
  return () => observer.disconnect();
}
