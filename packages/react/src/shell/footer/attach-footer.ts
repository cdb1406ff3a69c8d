import { refusesMarketing } from '@pillion/lib/browser/visitor.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import { scrollBehavior } from '@pillion/motion/scroll/scroll-to.ts';
import { watchDismissal } from './watch-dismissal.ts';

/** Makes the footer's toggle work (R8), and shows what follows from Global Privacy Control: only the browser knows it. */
export function attachFooter(footer: HTMLElement): void {
  const signalNote = footer.querySelector<HTMLElement>('[data-signal]');
  if (signalNote) signalNote.hidden = !refusesMarketing();
  const toggle = footer.querySelector<HTMLElement>('[aria-expanded]');
  if (!toggle) return;
  let stopWatching = () => {};
  const setExpanded = (isExpanded: boolean) => {
    const { more = '', less = '' } = toggle.dataset;
    toggle.ariaExpanded = String(isExpanded);
    toggle.ariaLabel = isExpanded ? less : more;
    stopWatching();
    if (!isExpanded) return;
    stopWatching = watchDismissal(footer, () => setExpanded(false));
    // The opened part is below the lower edge of the window. Measuring it would delay the paint that responds.
    afterPaint(() => {
      if (toggle.ariaExpanded === 'true') footer.scrollIntoView({ block: 'end', behavior: scrollBehavior() });
    });
  };
  toggle.addEventListener('click', () => setExpanded(toggle.ariaExpanded === 'false'));
}
