import type { ContentErrorKind } from './wordpress/result.ts';

/** Result of a call: a response, an error, or a response that its schema rejected. */
type CallOutcome = 'ok' | ContentErrorKind | 'rejected';

/** Records every call to WordPress by its path. */
export interface ContentMetrics {
  called: (path: string, outcome: CallOutcome) => void;
  /** The response that is shown for `name` was requested at `born`, in epoch milliseconds. */
  shown: (name: string, born: number) => void;
}
