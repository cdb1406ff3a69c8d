/** Whether the starter has let the visitor in. */
const isLetIn = () => document.documentElement.dataset.letIn !== undefined;

/**
 * Time in a hidden tab does not count for the animations that let a visitor in without a script (R9, R14). The browser's
 * clock for them goes on while the tab is hidden, so this puts them back: to where they stood when the page was hidden, or
 * to their beginning where the page was hidden from the start.
 * @returns Stops watching.
 */
export function forgetHiddenTime(): () => void {
  let held: { animation: Animation; time: CSSNumberish | null }[] = [];
  const settle = (isStart: boolean) => {
    for (const { animation, time } of held) animation.currentTime = time;
    held = document.hidden
      ? document
          .getAnimations()
          // Those that follow the page's scrolling have no clock.
          .filter(({ timeline }) => timeline === document.timeline)
          // Who was let in before the script came has seen the page: it is not shut again.
          .map((animation) => ({ animation, time: isStart && !isLetIn() ? 0 : animation.currentTime }))
      : [];
  };
  const onVisibility = () => settle(false);
  settle(true);
  document.addEventListener('visibilitychange', onVisibility);
  return () => document.removeEventListener('visibilitychange', onVisibility);
}
