/**
 * Errors of a call to WordPress, as in R27.
 * network error: no connection, or it broke.
 * timeout: no complete response within the timeout.
 * request aborted: the caller aborted it.
 * bad request: WordPress refused it (4xx).
 * bad response: unusable (5xx, a redirect, no JSON, too large, or rejected by the schema).
 * cancelled: the server is shutting down.
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
  /** Names the endpoint and, if the schema rejected the response, the field. Never contains credentials. */
  message: string;
  /** HTTP status; `null` without a response. */
  status: number | null;
  /** The unchanged header, if present. */
  retryAfter?: string;
}

/** Calls to WordPress resolve with an error instead of throwing it (R25). */
export type Result<T> = { ok: true; data: T } | { ok: false; error: ContentError };

export const success = <T>(data: T): Result<T> => ({ ok: true, data });

export const failure = (
  kind: ContentErrorKind,
  message: string,
  status: number | null = null,
): { ok: false; error: ContentError } => ({ ok: false, error: { kind, message, status } });

/** Whether WordPress has responded that it does not have the file. */
export const isMissing = (result: Result<unknown>): result is Extract<Result<unknown>, { ok: false }> =>
  !result.ok && (result.error.status === 404 || result.error.status === 410);

/** Reports a problem to editors and operators that visitors do not see. */
export type Warn = (event: string, details: Record<string, unknown>) => void;

/** Largest number of remembered warnings, so that a warning is not repeated on every refresh. */
const MAX_WARNINGS = 1000;

/** Forwards each distinct warning once. After `MAX_WARNINGS` warnings the memory is cleared. */
export function warnOnce(warn: Warn): Warn {
  const reported = new Set<string>();
  return (event, details) => {
    const line = JSON.stringify([event, details]);
    if (reported.has(line)) return;
    if (reported.size >= MAX_WARNINGS) reported.clear();
    reported.add(line);
    warn(event, details);
  };
}
