import type { Boot } from '@pillion/content/types.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { afterFirstPaint } from '@pillion/motion/frame/after-paint.ts';
import type { Site } from '../site/site.ts';
import { startAnalytics } from './analytics.ts';
import { watchSignUps } from './visit/sign-ups.ts';

type Configured = Pick<Boot, 'analytics' | 'tagManager'>;

/**
 * What is measured, and where it goes: web analytics of the site's own (R46), and a tag manager once the visitor has said
 * yes (R47). Loaded only where one of them is set up; what each needs is a chunk of its own, after the first paint.
 */
export function startMeasurement({ analytics, tagManager }: Configured, site: Site, engines: Engines): void {
  const onSignUp = watchSignUps();
  if (analytics !== null) {
    startAnalytics(analytics, site, onSignUp);
    const path = location.pathname;
    // Should the chunk not come, visits are counted all the same.
    afterFirstPaint(() =>
      import('./visit/vitals.ts').then(
        ({ watchVitals }) => watchVitals(engines, path, (data) => window.va?.('event', { name: 'web-vital', data })),
        () => {},
      ),
    );
  }
  // Without its code nobody is asked, and nothing is loaded.
  if (tagManager !== null)
    afterFirstPaint(() =>
      import('./consent/consent.ts').then(
        ({ startConsent }) => startConsent({ id: tagManager, site, engines, onSignUp }),
        () => {},
      ),
    );
}
