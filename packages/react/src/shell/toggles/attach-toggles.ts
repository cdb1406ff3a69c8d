import { isCalm, onMotionChange, switchMotion } from '@pillion/lib/browser/visitor.ts';
import type { Mixer } from '@pillion/motion/sound/mixer.ts';

/** Shows a toggle as pressed or not, or hides it with `null`. */
function press(toggle: HTMLElement, isPressed: boolean | null): void {
  toggle.hidden = isPressed === null;
  toggle.ariaPressed = isPressed === null ? null : String(isPressed);
}

/**
 * Makes the toggles work. The one for motion (WCAG 2.2.2) is shown on pages with moving content, the one for sound (R7)
 * while music is available.
 */
export function attachToggles(toggles: HTMLElement, mixer: Mixer): void {
  const [motion, sound] = toggles.children as unknown as [HTMLElement, HTMLElement];
  const showMotion = () => press(motion, document.querySelector('[data-moves]') ? !isCalm() : null);
  const showSound = () => {
    const { name, isAvailable, muted } = mixer.state();
    press(sound, isAvailable ? !muted : null);
    if (isAvailable) sound.dataset.sound = name;
    else delete sound.dataset.sound;
  };
  onMotionChange(showMotion);
  mixer.subscribe(showSound);
  showMotion();
  showSound();
  motion.addEventListener('click', switchMotion);
  sound.addEventListener('click', mixer.toggle);
}
