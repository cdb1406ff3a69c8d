import type { Log } from '../lib/log.ts';

/** A line at once, then at most one for each of these milliseconds, however many come. */
const PAUSE_MS = 60_000;

/**
 * Logs refusals of what anybody can send, so that a flood of them fills no disk: the first of a kind at once, those after
 * it as a number.
 * @param event Name of the log's line.
 * @param now Milliseconds that never go back.
 * @returns Notes one refusal. Reasons are kept: pass none that comes from outside.
 */
export function createRefusals(log: Log, event: string, now: () => number = () => performance.now()) {
  const kinds = new Map<string, { since: number; more: number }>();
  return (reason: string): void => {
    const kind = kinds.get(reason);
    if (kind && now() - kind.since < PAUSE_MS) {
      kind.more += 1;
      return;
    }
    log('warn', event, { reason, ...(kind?.more && { more: kind.more }) });
    kinds.set(reason, { since: now(), more: 0 });
  };
}
