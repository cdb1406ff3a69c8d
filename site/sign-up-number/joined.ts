import { stored } from '@pillion/lib/browser/visitor.ts';

/** Whether the visitor has signed up in this tab. */
export const hasSignedUp = (): boolean =>
  stored((storage) => storage.getItem('pillion-number'), 'sessionStorage') !== null;

/**
 * Notifies the scene of each sign-up until `signal` aborts.
 * @param loadJoining Fetches the joining sequence. If it cannot be loaded, the lamp appears with the next page.
 */
export function joinOnSignUp(loadJoining: () => Promise<{ joiningAt: unknown }>, signal: AbortSignal): void {
  const announceJoining = () =>
    loadJoining().then(
      ({ joiningAt }) => void dispatchEvent(new CustomEvent('pillion:join', { detail: joiningAt })),
      () => {},
    );
  addEventListener('pillion:signed-up', announceJoining, { signal });
}
