/** Names of entry.css: what holds the shell's parts back, and what brings them in. */
const ENTRY = /^(?:hold|slide-up)$/;

const entries = () =>
  [...document.querySelectorAll('[data-entry]')]
    .flatMap((element) => element.getAnimations())
    .filter((animation) => ENTRY.test((animation as CSSAnimation).animationName));

/**
 * Opens the page: the shell's parts slide into place (R39), once. A later resize, print or change of preference finds them
 * there. They do not slide where the stylesheet does not hold them back: on small screens, for calm visitors, and where it
 * has let them go because this script came late.
 */
export function enter(): void {
  const { dataset } = document.documentElement;
  const isHeld = entries().some(({ playState }) => playState === 'running');
  dataset.stage = 'playing';
  const stay = () => {
    dataset.entered = '';
  };
  // One that ends early, by a print say, has ended too.
  if (isHeld) void Promise.allSettled(entries().map(({ finished }) => finished)).then(stay);
  else stay();
}
