/** Whether the visitor has signed up in this tab. Storage may be switched off. */
export function isAmongRiders(): boolean {
  try {
    return sessionStorage.getItem('pillion-number') !== null;
  } catch {
    return false;
  }
}

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
