/** Animations of entry.css: `hold` hides the shell's parts, `slide-up` shows them. */
const ENTRY_ANIMATIONS = /^(?:hold|slide-up)$/;

const entryAnimations = () =>
  [...document.querySelectorAll('[data-entry]')]
    .flatMap((element) => element.getAnimations())
    .filter((animation) => ENTRY_ANIMATIONS.test((animation as CSSAnimation).animationName));

/**
 * Opens the page: the shell's parts slide into place (R39), once. A later resize, print or change of preference does
 * not repeat it. They do not slide on small screens, with reduced motion, or if this script came so late that the
 * stylesheet has shown them.
 */
export function enter(): void {
  const { dataset } = document.documentElement;
  const isAnimating = entryAnimations().some(({ playState }) => playState === 'running');
  dataset.stage = 'playing';
  const markEntered = () => {
    dataset.entered = '';
  };
  // `allSettled`, because an animation may be cancelled, for example by printing.
  if (isAnimating) void Promise.allSettled(entryAnimations().map(({ finished }) => finished)).then(markEntered);
  else markEntered();
}
