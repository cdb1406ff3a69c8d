/**
 * Dispatches the visitor's sign-up number on the window and stores it in the tab. A site can use it
 * (docs/reference/contract.md).
 */
export function announceNumber(number: number): void {
  try {
    sessionStorage.setItem('pillion-number', String(number));
  } catch {
    // Storage is full or blocked: the number is lost with the page.
  }
  dispatchEvent(new CustomEvent('pillion:signed-up', { detail: { number } }));
}
