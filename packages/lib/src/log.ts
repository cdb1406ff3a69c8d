import { requestId } from './request-id.ts';

export type Level = 'info' | 'warn' | 'error';
/** One line of JSON per event. Details carry no personal data and no secret: callers pass names, codes and durations. */
export type Log = (level: Level, event: string, details?: Record<string, unknown>) => void;

const readable = (value: unknown) =>
  value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;

/** The reader of the log may end before this server. A line that cannot be written must not end the server too. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** Each line of a request carries its id. Writes to standard output; errors and warnings to standard error. */
export const consoleLog: Log = (level, event, details = {}) => {
  const request_id = requestId();
  const line = { time: new Date().toISOString(), level, event, ...(request_id && { request_id }), ...details };
  const stream = level === 'info' ? process.stdout : process.stderr;
  stream.write(`${JSON.stringify(line, (_, value) => readable(value))}\n`);
};

/** Lines of one kind are written once in this many milliseconds. */
const SPARSE_MS = 60_000;

/** How many kinds of line are remembered; callers make few. */
const MOST_KINDS = 1_000;

/**
 * A log for events that strangers can cause as often as they like: a flood of them is one line a minute, with their number
 * as `unsaid`.
 * @param kindOf Names the kind of a line. It may have few values, and none that a visitor chooses.
 * @param now Milliseconds of a clock that never jumps.
 */
export function sparsely(
  log: Log,
  kindOf: (event: string, details: Record<string, unknown>) => string,
  now: () => number = () => performance.now(),
): Log {
  const kinds = new Map<string, { at: number; unsaid: number }>();
  return (level, event, details = {}) => {
    const kind = `${event} ${kindOf(event, details)}`;
    const said = kinds.get(kind);
    if (said && now() - said.at < SPARSE_MS) {
      said.unsaid += 1;
      return;
    }
    if (kinds.size >= MOST_KINDS) kinds.clear();
    kinds.set(kind, { at: now(), unsaid: 0 });
    log(level, event, said?.unsaid ? { ...details, unsaid: said.unsaid } : details);
  };
}
