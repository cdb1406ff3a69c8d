/**
 * The part of the Navigation API that we use (WHATWG HTML §7.2.6). TypeScript's library describes it only in part, and
 * browsers without it get plain page loads.
 */
export interface NavigateEvent extends Event {
  readonly canIntercept: boolean;
  readonly destination: { readonly url: string; readonly sameDocument: boolean };
  readonly downloadRequest: string | null;
  readonly formData: FormData | null;
  readonly hashChange: boolean;
  readonly navigationType: 'push' | 'reload' | 'replace' | 'traverse';
  readonly signal: AbortSignal;
  readonly userInitiated: boolean;
  intercept(options: { handler: () => Promise<void>; focusReset?: 'manual'; scroll?: 'manual' }): void;
}

export interface Navigation extends EventTarget {
  navigate(url: string, options?: { history?: 'auto' | 'push' | 'replace' }): unknown;
}

/** `null` where the browser has no Navigation API. */
export const platformNavigation = (): Navigation | null =>
  (globalThis as { navigation?: Navigation }).navigation ?? null;
