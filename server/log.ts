import { requestId } from './request-id.ts';

export type Level = 'info' | 'warn' | 'error';
/** One line of JSON per event. Details carry no personal data and no secret: callers pass names, codes and durations. */
export type Log = (level: Level, event: string, details?: Record<string, unknown>) => void;

const readable = (value: unknown) =>
  value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;

/** Each line of a request carries its id. Writes to standard output; errors and warnings to standard error. */
export const consoleLog: Log = (level, event, details = {}) => {
  const request_id = requestId();
  const line = { time: new Date().toISOString(), level, event, ...(request_id && { request_id }), ...details };
  const stream = level === 'info' ? process.stdout : process.stderr;
  stream.write(`${JSON.stringify(line, (_, value) => readable(value))}\n`);
};
