/**
 * What can go wrong between the site and WordPress, in the six words of R27:
 * network error: no connection, or it broke; timeout: no whole answer within the deadline; request aborted: the caller
 * gave up; bad request: WordPress refused (4xx); bad response: it answered something unusable (5xx, a redirect, not
 * JSON, too large, against the schema); cancelled: the site is shutting down.
 */
export type ContentErrorKind =
  | 'network error'
  | 'timeout'
  | 'request aborted'
  | 'bad request'
  | 'bad response'
  | 'cancelled';

export interface ContentError {
  kind: ContentErrorKind;
  /** Names the endpoint and, where the answer broke its schema, the field. Never holds a credential. */
  message: string;
  /** HTTP status, `null` where no answer came. */
  status: number | null;
  /** The header as it came, where one did. */
  retryAfter?: string;
}

/** Calls to WordPress resolve with what went wrong rather than throw (R25). */
export type Result<T> = { ok: true; data: T } | { ok: false; error: ContentError };

export const success = <T>(data: T): Result<T> => ({ ok: true, data });

export const failure = (
  kind: ContentErrorKind,
  message: string,
  status: number | null = null,
): { ok: false; error: ContentError } => ({ ok: false, error: { kind, message, status } });

/** Something an editor or operator should know that no visitor sees. */
export type Warn = (event: string, details: Record<string, unknown>) => void;

/** Distinct warnings remembered, so that none repeats with every refresh. */
const WARNINGS_KEPT = 1000;

/** Passes each distinct warning on once; beyond `WARNINGS_KEPT` the memory starts anew. */
export function warnOnce(warn: Warn): Warn {
  const said = new Set<string>();
  return (event, details) => {
    const line = JSON.stringify([event, details]);
    if (said.has(line)) return;
    if (said.size >= WARNINGS_KEPT) said.clear();
    said.add(line);
    warn(event, details);
  };
}
