import type { Mixer } from '@pillion/motion/sound/mixer.ts';
import { press } from '../toggles/press.ts';

/** Makes the toggle for sound work (R7), which is shown while music is available. */
export function attachSound(toggle: HTMLElement, mixer: Mixer): void {
  const show = () => {
    const { name, isAvailable, muted } = mixer.state();
    press(toggle, isAvailable ? !muted : null);
    if (isAvailable) toggle.dataset.sound = name;
    else delete toggle.dataset.sound;
  };
  mixer.subscribe(show);
  show();
  toggle.addEventListener('click', mixer.toggle);
}
