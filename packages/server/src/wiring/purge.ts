import type { Content } from '@pillion/content/content.ts';
import type { Log } from '@pillion/lib/log.ts';
import { createPurge, type Purge } from '../cdn/purge.ts';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** @returns `null` where no CDN is to be told, or no change is told of here. */
export function purgeFor(config: Config, content: Content, metrics: Metrics, log: Log): Purge | null {
  const { purge, webhookSecret } = config;
  if (purge === null || config.content.source !== 'wordpress' || webhookSecret === null) return null;
  return createPurge({ ...purge, shared: content.fingerprints, log, onPurged: metrics.purged });
}
