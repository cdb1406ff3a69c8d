import { requestId } from './request-id.ts';

export type Level = 'info' | 'warn' | 'error';
/** Writes one line of JSON per event. Callers pass names, codes and durations, never personal data or secrets. */
export type Log = (level: Level, event: string, details?: Record<string, unknown>) => void;

const serializeError = (value: unknown) =>
  value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;

/** The process that reads the log may exit first. A failed write must not end the server. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** Writes to standard output; errors and warnings to standard error. Lines of a request contain its id. */
export const consoleLog: Log = (level, event, details = {}) => {
  const request_id = requestId();
  const line = { time: new Date().toISOString(), level, event, ...(request_id && { request_id }), ...details };
  const stream = level === 'info' ? process.stdout : process.stderr;
  stream.write(`${JSON.stringify(line, (_, value) => serializeError(value))}\n`);
};

/** Minimum interval between two lines of one kind, in milliseconds. */
const MIN_INTERVAL_MS = 60_000;

/** Maximum number of kinds in memory; callers use few. */
const MAX_KINDS = 1_000;

/**
 * Limits the log of events that any client can cause: a flood of them is one line per minute. `suppressed` is the number of
 * lines that were suppressed.
 * @param kindOf Returns the kind of a line: one of few values, none of them chosen by a visitor.
 * @param now Milliseconds of a monotonic clock.
 */
export function sparsely(
  log: Log,
  kindOf: (event: string, details: Record<string, unknown>) => string,
  now: () => number = () => performance.now(),
): Log {
  const kinds = new Map<string, { at: number; suppressed: number }>();
  return (level, event, details = {}) => {
    const kind = `${event} ${kindOf(event, details)}`;
    const last = kinds.get(kind);
    if (last && now() - last.at < MIN_INTERVAL_MS) {
      last.suppressed += 1;
      return;
    }
    if (kinds.size >= MAX_KINDS) kinds.clear();
    kinds.set(kind, { at: now(), suppressed: 0 });
    log(level, event, last?.suppressed ? { ...details, suppressed: last.suppressed } : details);
  };
}
