export type Level = 'info' | 'warn' | 'error';
/** One line of JSON per event. Details carry no personal data and no secret: callers pass names, codes and durations. */
export type Log = (level: Level, event: string, details?: Record<string, unknown>) => void;

const readable = (value: unknown) =>
  value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;

/** Writes to standard output; errors and warnings to standard error. */
export const consoleLog: Log = (level, event, details = {}) => {
  const line = { time: new Date().toISOString(), level, event, ...details };
  const stream = level === 'info' ? process.stdout : process.stderr;
  stream.write(`${JSON.stringify(line, (_, value) => readable(value))}\n`);
};
