/**
 * The part of the Navigation API that we use (WHATWG HTML §7.2.6). TypeScript's library describes it only in part, and
 * browsers without it get plain page loads.
 */
export interface NavigateEvent extends Event {
  readonly canIntercept: boolean;
  readonly destination: { readonly url: string; readonly sameDocument: boolean; readonly index: number };
  readonly downloadRequest: string | null;
  readonly formData: FormData | null;
  readonly hashChange: boolean;
  readonly navigationType: 'push' | 'reload' | 'replace' | 'traverse';
  readonly signal: AbortSignal;
  /** What was pressed. Not every browser says it. */
  readonly sourceElement?: Element | null;
  readonly userInitiated: boolean;
  /** Goes to the place on the page that the navigation leads to, which is restored on Back. Does it once. */
  scroll(): void;
  intercept(options: { handler: () => Promise<void>; focusReset?: 'manual'; scroll?: 'manual' }): void;
}

/** A page in the visitor's history; the key is its own for as long as it is in there. */
export interface HistoryEntry {
  readonly index: number;
  readonly key: string;
  readonly url: string | null;
}

export interface Navigation extends EventTarget {
  readonly currentEntry: HistoryEntry | null;
  navigate(url: string, options?: { history?: 'auto' | 'push' | 'replace' }): unknown;
}

/** `null` where the browser has no Navigation API. */
export const platformNavigation = (): Navigation | null =>
  (globalThis as { navigation?: Navigation }).navigation ?? null;
