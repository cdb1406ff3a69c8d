import type { Log } from '@pillion/lib/log.ts';
import type { Config } from '../config/config.ts';
import { runChecks } from './doctor.ts';

/** Delay of the doctor in milliseconds, so that it does not delay the first visitors. */
const DELAY_MS = 2_000;

/**
 * Runs the doctor once after the start and logs the first broken check. It sends about 20 short requests, one after
 * another. The server does not wait for it, and it changes nothing in WordPress.
 */
export function reportAtStart(config: Config, log: Log): void {
  if (config.content.source !== 'wordpress') return;
  const logFirstProblem = async () => {
    const lines = await runChecks({ config, withSite: false, withTrial: false, asStranger: false });
    const broken = lines.filter(({ state }) => state === 'broken');
    const [first] = broken;
    if (!first) return;
    const { group, name, says, todo } = first;
    log('warn', 'doctor', { broken: `${group}: ${name}`, says, todo, of: broken.length, more: 'npm run doctor' });
  };
  // An unhandled rejection would end the server.
  setTimeout(() => logFirstProblem().catch((error: unknown) => log('warn', 'doctor', { error })), DELAY_MS).unref();
}
