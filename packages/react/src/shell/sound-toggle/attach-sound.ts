import type { Mixer } from '@pillion/motion/sound/mixer.ts';
import { setPressed } from '../toggles/press.ts';

/** Makes the toggle for sound work (R7), which is shown while music is available. */
export function attachSound(toggle: HTMLElement, mixer: Mixer): void {
  const updateToggle = () => {
    const { name, isAvailable, muted } = mixer.state();
    setPressed(toggle, isAvailable ? !muted : null);
    if (isAvailable) toggle.dataset.sound = name;
    else delete toggle.dataset.sound;
  };
  mixer.subscribe(updateToggle);
  updateToggle();
  toggle.addEventListener('click', mixer.toggle);
}
