import { joiningAt } from '@pillion/site/scene/joining.ts';

/**
 * Tells the scene that its visitor signed up, and remembers her light for as long as her tab.
 * @param number Which of all riders she is.
 */
export function joinRiders(number: number): void {
  try {
    sessionStorage.setItem('pillion-light', String(number));
  } catch {
    // Full or switched off: her light goes with the page.
  }
  // The scene is a chunk of its own, and may not be there: nobody then hears it.
  dispatchEvent(new CustomEvent('pillion:join', { detail: joiningAt }));
}
