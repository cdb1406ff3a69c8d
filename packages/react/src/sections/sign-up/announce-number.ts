import { stored } from '@pillion/lib/browser/visitor.ts';

/**
 * Dispatches the visitor's sign-up number on the window and stores it in the tab. A site can use it
 * (docs/reference/contract.md). If storage is full or blocked, the number is lost with the page.
 */
export function announceNumber(number: number): void {
  stored((storage) => storage.setItem('pillion-number', String(number)), 'sessionStorage');
  dispatchEvent(new CustomEvent('pillion:signed-up', { detail: { number } }));
}
