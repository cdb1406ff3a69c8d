import type { Page } from '@pillion/content/types.ts';
import { scrollToElement } from '@pillion/motion/scroll/scroll-to.ts';
import type { MouseEvent } from 'react';
import { hasForm } from '../../registry/kind-of-page.ts';
import button from '../../ui/button.module.css';
import styles from './header.module.css';

/** R5, R41: below this width, in CSS pixels, the target is the whole section; from this width on, its inner box. */
const LARGE_FROM_PX = 1024;

/** Called on click (R5), because the window may have been resized. */
const joinTarget = (): HTMLElement | null =>
  document.getElementById(window.innerWidth < LARGE_FROM_PX ? 'form' : 'inner-form');

function onJoin(event: MouseEvent) {
  const target = joinTarget();
  // Modified clicks open another tab or window.
  if (!target || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  scrollToElement(target);
}

/** A link to the sign-up section of the page, or of the front page if it is not on this page. Works without script. */
export function Join({ label, page, home }: { label: string; page: Page; home: string }) {
  const isHere = hasForm(page);
  return (
    <a
      className={`${button.button} ${styles.join}`}
      href={`${isHere ? '' : home}#form`}
      onClick={isHere ? onJoin : undefined}
      data-entry="1"
    >
      <span>{label}</span>
    </a>
  );
}
