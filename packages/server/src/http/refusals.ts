import { type Log, sparsely } from '@pillion/lib/log.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** What was refused: word of a change, a question of WordPress, a preview. */
export type RefusedKind = 'change' | 'question' | 'preview';

/** Notes a refusal. Reasons are of a few values: pass none that comes from outside. */
export type Refuse = (kind: RefusedKind, reason: string) => void;

/**
 * Counts refusals in the metrics and logs them, so that an attack is seen (ASVS 16.3.2) and a flood of them fills no disk:
 * one line a minute for each kind and reason.
 */
export function createRefusals(log: Log, metrics: Pick<Metrics, 'refused'>, now?: () => number): Refuse {
  const sparse = sparsely(log, (_, { kind, reason }) => `${kind} ${reason}`, now);
  return (kind, reason) => {
    metrics.refused(kind, reason);
    sparse('warn', 'refused', { kind, reason });
  };
}
