import { createEmitter } from './emitter.ts';

const CALM = '(prefers-reduced-motion: reduce)';

/** Storage key of the visitor's choice, `full` or `reduced`, for all tabs of the site. The starter reads it too. */
const CHOICE = 'motion';

const { subscribe, emit } = createEmitter();

/** Called when the page is to move or to be still, and when what moves by itself comes. @returns Ends the subscription. */
export const onMotionChange = subscribe;

/** To be called by what moves by itself for more than five seconds, once it shows `data-moves` in its markup. */
export const tellOfMotion = emit;

/**
 * Whether the page is to be still: as the visitor chose on this site, else as they asked of their system. The stylesheets
 * ask the same (`--motion` in styles/tokens.css). Read on each call, because both can change while the page is open.
 */
export const isCalm = (): boolean => {
  const { motion } = document.documentElement.dataset;
  return motion ? motion === 'reduced' : matchMedia(CALM).matches;
};

/** Shows the page moving or still without remembering it. @param motion `full`, `reduced`, or `null`: as the system asks. */
export function showMotion(motion: string | null): void {
  const { dataset } = document.documentElement;
  if (motion) dataset.motion = motion;
  else delete dataset.motion;
  emit();
}

/** Storage throws where the visitor has forbidden it: their choice then lasts until the page is left. */
export function stored<T>(work: (storage: Storage) => T): T | null {
  try {
    return work(localStorage);
  } catch {
    return null;
  }
}

/** Switches motion on or off for the visitor, in all tabs of the site and on their next visit. */
export function switchMotion(): void {
  const motion = isCalm() ? 'full' : 'reduced';
  stored((storage) => storage.setItem(CHOICE, motion));
  showMotion(motion);
}

/** Follows the system's setting and what the visitor chooses in other tabs. */
export function followMotion(): void {
  matchMedia(CALM).addEventListener('change', emit);
  addEventListener('storage', ({ key, newValue }) => {
    if (key === CHOICE) showMotion(newValue);
  });
}

/**
 * Whether the visitor asked for less data (Save-Data): nothing is then fetched that they did not ask for. False where the
 * browser does not say (Network Information API).
 */
export const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
