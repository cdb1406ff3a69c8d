/**
 * The part of the Navigation API that the site uses (WHATWG HTML §7.2.6). TypeScript's library describes it only in
 * part. Browsers without it load each page in full.
 */
export interface NavigateEvent extends Event {
  readonly canIntercept: boolean;
  readonly destination: { readonly url: string; readonly sameDocument: boolean; readonly index: number };
  readonly downloadRequest: string | null;
  readonly formData: FormData | null;
  readonly hashChange: boolean;
  readonly navigationType: 'push' | 'reload' | 'replace' | 'traverse';
  readonly signal: AbortSignal;
  /** The element that was clicked. Not all browsers support this. */
  readonly sourceElement?: Element | null;
  readonly userInitiated: boolean;
  /** Scrolls to the target of the navigation, or restores the position on Back. Works once. */
  scroll(): void;
  intercept(options: { handler: () => Promise<void>; focusReset?: 'manual'; scroll?: 'manual' }): void;
}

/** An entry of the visitor's history. Its key stays the same while the entry exists. */
export interface HistoryEntry {
  readonly index: number;
  readonly key: string;
  readonly url: string | null;
}

export interface Navigation extends EventTarget {
  readonly currentEntry: HistoryEntry | null;
  navigate(url: string, options?: { history?: 'auto' | 'push' | 'replace' }): unknown;
}

/** @returns `null` if the browser has no Navigation API. */
export const platformNavigation = (): Navigation | null =>
  (globalThis as { navigation?: Navigation }).navigation ?? null;
