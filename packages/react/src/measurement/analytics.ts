import type { Site } from '../site/site.ts';
import { watchPageViews } from './visit/page-views.ts';
import type { WatchSignUps } from './visit/sign-ups.ts';

/** Data of an event: a flat object, as the analytics script requires. */
type EventData = Record<string, string | number | boolean | null>;

/** Records an event: the function of the analytics script, or a queue until the script is loaded. */
interface Track {
  (event: 'pageview', data: { route: string; path: string }): void;
  (event: 'event', data: { name: string; data: EventData }): void;
}

declare global {
  interface Window {
    va?: Track;
    /** Events from before the script was loaded; it reads them when it starts. */
    vaq?: unknown[][];
  }
}

/** R48: console message for a developer in `npm run dev`, otherwise for the operator. */
const LOAD_FAILED = import.meta.env.DEV
  ? 'Analytics: the script could not be loaded. Check whether an ad blocker, or another extension, holds it back.'
  : 'Analytics: the script could not be loaded. Enable analytics for this project, so that its script is served under that path.';

/**
 * Starts web analytics (R46): a script from a path of this site, one page view for each page shown, and one event for
 * each sign-up.
 * @param script Path of the script, from `ANALYTICS_SCRIPT`.
 */
export function startAnalytics(script: string, site: Site, onSignUp: WatchSignUps): void {
  window.va ??= (...args) => {
    window.vaq ??= [];
    window.vaq.push(args);
  };
  const element = document.createElement('script');
  element.defer = true;
  element.src = script;
  element.addEventListener('error', () => console.warn(LOAD_FAILED));
  document.head.append(element);

  watchPageViews(site, ({ route, path }) => window.va?.('pageview', { route, path }));
  onSignUp(({ formId, path }) => window.va?.('event', { name: 'sign_up', data: { form_id: formId, path } }));
}
