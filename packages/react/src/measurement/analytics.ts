import type { Site } from '../site/site.ts';
import { watchPageViews } from './visit/page-views.ts';
import type { WatchSignUps } from './visit/sign-ups.ts';

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

/** R48: what to do, said to whoever looks into the console: a developer in `npm run dev`, else who runs the site. */
const FAILED = import.meta.env.DEV
  ? 'Analytics: the script could not be loaded. Check whether an ad blocker, or another extension, holds it back.'
  : 'Analytics: the script could not be loaded. Enable analytics for this project, so that its script is served under that path.';

/**
 * Web analytics (R46): a script from a path of this site, one page view for each page a visitor is shown, and one event for
 * each sign-up.
 * @param script Its path, from `ANALYTICS_SCRIPT`.
 */
export function startAnalytics(script: string, site: Site, onSignUp: WatchSignUps): void {
  window.va ??= (...told) => {
    window.vaq ??= [];
    window.vaq.push(told);
  };
  const element = document.createElement('script');
  element.defer = true;
  element.src = script;
  element.addEventListener('error', () => console.warn(FAILED));
  document.head.append(element);

  watchPageViews(site, ({ route, path }) => window.va?.('pageview', { route, path }));
  onSignUp(({ formId, path }) => window.va?.('event', { name: 'sign_up', data: { form_id: formId, path } }));
}
