import { attachSound } from 'virtual:pillion/music';
import { isCalm, onMotionChange, switchMotion } from '@pillion/lib/browser/visitor.ts';
import type { Mixer } from '@pillion/motion/sound/mixer.ts';
import { setPressed } from './press.ts';

/** Makes the toggles work. The one for motion (WCAG 2.2.2) is shown while the page draws moving content. */
export function attachToggles(toggles: HTMLElement, mixer: Mixer): void {
  const [motion, sound] = toggles.children as unknown as [HTMLElement, HTMLElement?];
  // An element that is not drawn, for example with forced colours, has no boxes.
  const updateMotionToggle = () =>
    setPressed(motion, document.querySelector('[data-moves]')?.getClientRects()[0] ? !isCalm() : null);
  onMotionChange(updateMotionToggle);
  updateMotionToggle();
  motion.addEventListener('click', switchMotion);
  if (sound) attachSound(sound, mixer);
}
