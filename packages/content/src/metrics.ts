import type { ContentErrorKind } from './wordpress/result.ts';

/** What became of a call: an answer, one of the errors, or an answer that its schema did not accept. */
type CallOutcome = 'ok' | ContentErrorKind | 'rejected';

/** Told of every call to WordPress, by the path it was made to. */
export interface ContentMetrics {
  called: (path: string, outcome: CallOutcome) => void;
  /** The response that is shown for `name` was requested at `born`, in epoch milliseconds. */
  shown: (name: string, born: number) => void;
}
