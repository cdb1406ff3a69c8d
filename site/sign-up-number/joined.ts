import { stored } from '@pillion/lib/browser/visitor.ts';

/** Whether the visitor has signed up in this tab. */
export const isAmongRiders = (): boolean =>
  stored((storage) => storage.getItem('pillion-number'), 'sessionStorage') !== null;

/**
 * Tells the scene of each sign-up, until the signal ends it.
 * @param load Fetches how the visitor's lamp joins the others. Without it the lamp is there with the next page.
 */
export function joinOnSignUp(load: () => Promise<{ joiningAt: unknown }>, signal: AbortSignal): void {
  const join = () =>
    load().then(
      ({ joiningAt }) => void dispatchEvent(new CustomEvent('pillion:join', { detail: joiningAt })),
      () => {},
    );
  addEventListener('pillion:signed-up', join, { signal });
}
