import type { Boot } from '@pillion/content/types.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { afterFirstPaint } from '@pillion/motion/frame/after-paint.ts';
import type { Site } from '../site/site.ts';
import { startAnalytics } from './analytics.ts';
import { watchSignUps } from './visit/sign-ups.ts';

type Configured = Pick<Boot, 'analytics' | 'tagManager'>;

/**
 * Starts the site's web analytics (R46) and the tag manager, which needs consent (R47). Loaded only if one of them is
 * configured. Each has a separate chunk, which loads after the first paint.
 */
export function startMeasurement({ analytics, tagManager }: Configured, site: Site, engines: Engines): void {
  const onSignUp = watchSignUps();
  if (analytics !== null) {
    startAnalytics(analytics, site, onSignUp);
    const path = location.pathname;
    // If the chunk cannot be loaded, visits are still counted.
    afterFirstPaint(() =>
      import('./visit/vitals.ts').then(
        ({ watchVitals }) => watchVitals(engines, path, (data) => window.va?.('event', { name: 'web-vital', data })),
        () => {},
      ),
    );
  }
  // If the chunk cannot be loaded, there is no dialog and no tag manager.
  if (tagManager !== null)
    afterFirstPaint(() =>
      import('./consent/consent.ts').then(
        ({ startConsent }) => startConsent({ containerId: tagManager, site, engines, onSignUp }),
        () => {},
      ),
    );
}
