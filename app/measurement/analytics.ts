import type { Site } from '../site.ts';
import { watchPageViews } from './page-views.ts';

/** Data of an event: flat, as the script reads it. */
type EventData = Record<string, string | number | boolean | null>;

/** Takes what happens: the analytics script's own function, or until it has come a queue for it. */
interface Track {
  (event: 'pageview', data: { route: string; path: string }): void;
  (event: 'event', data: { name: string; data: EventData }): void;
}

declare global {
  interface Window {
    va?: Track;
    /** What was told before the script came; it reads this when it starts. */
    vaq?: unknown[][];
  }
}

/** R48: what to do, said to whoever looks into the console. */
const FAILED = {
  development:
    'Analytics: the script could not be loaded. Check whether an ad blocker, or another extension, holds it back.',
  production:
    'Analytics: the script could not be loaded. Enable analytics for this project, so that its script is served under that path.',
};

/**
 * Web analytics (R46): a script from a path of this site, and one page view for each page a visitor is shown.
 * @param script Its path, from `ANALYTICS_SCRIPT`.
 * @param env The deployment's name; any but `production` is somebody's workplace.
 */
export function startAnalytics(script: string, env: string, site: Site): void {
  window.va ??= (...told) => {
    window.vaq ??= [];
    window.vaq.push(told);
  };
  const element = document.createElement('script');
  element.defer = true;
  element.src = script;
  element.addEventListener('error', () => console.warn(FAILED[env === 'production' ? 'production' : 'development']));
  document.head.append(element);

  watchPageViews(site, ({ route, path }) => window.va?.('pageview', { route, path }));
}
