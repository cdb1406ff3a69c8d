import { createEmitter } from './emitter.ts';

const REDUCED_MOTION_QUERY = '(prefers-reduced-motion: reduce)';

/**
 * Storage key of the visitor's choice, `full` or `reduced`, for all tabs of the site. The starter script reads it too.
 */
const MOTION_KEY = 'motion';

const { subscribe, emit } = createEmitter();

/**
 * The listener runs when motion or forced colours are switched, and on `tellOfMotion`.
 * @returns A function that unsubscribes.
 */
export const onMotionChange = subscribe;

/** Components that move by themselves for more than 5 seconds call this after they set `data-moves` in their markup. */
export const tellOfMotion = emit;

/**
 * Whether motion is reduced: by the visitor's choice on this site, otherwise by their system's setting. The stylesheets
 * use the same rule (`--motion` in styles/tokens.css). Read it on each call, because both can change while the page is
 * open.
 */
export const isCalm = (): boolean => {
  const { motion } = document.documentElement.dataset;
  return motion ? motion === 'reduced' : matchMedia(REDUCED_MOTION_QUERY).matches;
};

/** Switches motion without storing it. @param motion `full`, `reduced`, or `null` for the system's setting. */
export function showMotion(motion: string | null): void {
  const { dataset } = document.documentElement;
  if (motion) dataset.motion = motion;
  else delete dataset.motion;
  emit();
}

/** Whether the browser sends Global Privacy Control, which refuses marketing. The server reads `Sec-GPC`. */
export const refusesMarketing = (): boolean =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;

/** Uses a storage. @returns `null` if the visitor has blocked it; choices then last until the page is left. */
export function stored<T>(
  work: (storage: Storage) => T,
  kind: 'localStorage' | 'sessionStorage' = 'localStorage',
): T | null {
  try {
    return work(globalThis[kind]);
  } catch {
    return null;
  }
}

/** Switches motion on or off for the visitor, in all tabs of the site and on their next visit. */
export function switchMotion(): void {
  const motion = isCalm() ? 'full' : 'reduced';
  stored((storage) => storage.setItem(MOTION_KEY, motion));
  showMotion(motion);
}

/** Follows the system's settings, and a choice in other tabs or while this page was in the back/forward cache. */
export function followMotion(): void {
  // With forced colours no moving content is drawn.
  for (const query of [REDUCED_MOTION_QUERY, '(forced-colors: active)'])
    matchMedia(query).addEventListener('change', emit);
  addEventListener('storage', ({ key, newValue }) => {
    if (key === MOTION_KEY) showMotion(newValue);
  });
  addEventListener('pageshow', ({ persisted }) => {
    // With blocked storage the page keeps its own choice.
    if (persisted) stored((storage) => showMotion(storage.getItem(MOTION_KEY)));
  });
}

/**
 * Whether the visitor asked for reduced data (Save-Data). The page then fetches nothing that they did not request.
 * False if the browser does not report it (Network Information API).
 */
export const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
