/**
 * Tells the window the visitor's number among all sign-ups, and remembers it for as long as the tab lives: a site may show
 * it in its own way (docs/reference/contract.md).
 */
export function announceNumber(number: number): void {
  try {
    sessionStorage.setItem('pillion-number', String(number));
  } catch {
    // Storage is full or switched off: the number goes with the page.
  }
  dispatchEvent(new CustomEvent('pillion:signed-up', { detail: { number } }));
}
