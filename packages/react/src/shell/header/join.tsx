import type { Page } from '@pillion/content/types.ts';
import { scrollToElement } from '@pillion/motion/scroll/scroll-to.ts';
import type { MouseEvent } from 'react';
import { hasForm } from '../../registry/kind-of-page.ts';
import button from '../../ui/button.module.css';
import styles from './header.module.css';

/** R5, R41: below this width in CSS pixels the whole section is the target, from it on its inner box. */
const LARGE_FROM_PX = 1024;

/** Decided at click time (R5): the window may have been resized since the page was drawn. */
const joinTarget = (): HTMLElement | null =>
  document.getElementById(window.innerWidth < LARGE_FROM_PX ? 'form' : 'inner-form');

function onJoin(event: MouseEvent) {
  const target = joinTarget();
  // A modified click asks for another tab or window: that is the browser's.
  if (!target || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  scrollToElement(target);
}

/** A plain anchor without script; on a page without a sign-up section it leads to the one on the front page. */
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
