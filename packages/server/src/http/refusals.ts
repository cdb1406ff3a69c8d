import { type Log, sparsely } from '@pillion/lib/log.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** Kind of request: a message about a change, a question of WordPress, a preview. */
export type RefusedKind = 'change' | 'question' | 'preview';

/** Records a refusal. Reasons are fixed texts: never pass one from a request. */
export type ReportRefusal = (kind: RefusedKind, reason: string) => void;

/**
 * Counts refusals in the metrics and logs them, so that operators see an attack (ASVS 16.3.2). The log has at most one
 * line per minute for each kind and reason, so that a flood does not fill the disk.
 */
export function createRefusals(log: Log, metrics: Pick<Metrics, 'refused'>, now?: () => number): ReportRefusal {
  const sparse = sparsely(log, (_, { kind, reason }) => `${kind} ${reason}`, now);
  return (kind, reason) => {
    metrics.refused(kind, reason);
    sparse('warn', 'refused', { kind, reason });
  };
}
