import { PURPOSES, type Purpose } from '@pillion/lib/consent.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import type { Site } from '../../site/site.ts';
import { policyFactory } from '../../ui/trusted-types.ts';
import { watchPageViews } from '../visit/page-views.ts';
import { cookies, removeCookie } from './cookies.ts';

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/**
 * For each purpose, the signals of Google's Consent Mode (version 2) and the cookies of Google's tags. `_ga` and its
 * longer names are of statistics, except `_gac`, which is of advertising.
 */
const PURPOSE_DATA: Record<Purpose, { signals: string[]; cookies: RegExp }> = {
  statistics: { signals: ['analytics_storage'], cookies: /^_g(?:a(?!c)|id)/ },
  marketing: { signals: ['ad_storage', 'ad_user_data', 'ad_personalization'], cookies: /^_gcl|^_gac/ },
};

const pushEntry = (entry: unknown) => {
  window.dataLayer ??= [];
  window.dataLayer.push(entry);
};

/** Pushes a command. The tag manager recognises commands by their type, an `arguments` object. */
function pushCommand(..._command: unknown[]): void {
  // biome-ignore lint/complexity/noArguments: an array would not be read.
  pushEntry(arguments);
}

const consentSignals = (granted: readonly Purpose[]): Record<string, 'granted' | 'denied'> =>
  Object.fromEntries(
    PURPOSES.flatMap((purpose) =>
      PURPOSE_DATA[purpose].signals.map(
        (signal) => [signal, granted.includes(purpose) ? 'granted' : 'denied'] as const,
      ),
    ),
  );

/** The Content-Security-Policy allows this policy by its name: packages/server/src/http/security-headers.ts. */
const policy = policyFactory?.createPolicy('tag-manager', { createScriptURL: (url) => url });

/** Adds the tag manager's script to the page. */
function loadContainer(containerId: string): void {
  const url = `https://www.googletagmanager.com/gtm.js?id=${containerId}`;
  const script = document.createElement('script');
  script.async = true;
  script.src = policy?.createScriptURL(url) ?? url;
  script.addEventListener('error', () =>
    console.warn(
      import.meta.env.DEV
        ? 'Tag manager: the script could not be loaded. Check whether an ad blocker, or another extension, holds it back.'
        : 'Tag manager: the script could not be loaded. Check that GTM_ID names a published container.',
    ),
  );
  document.head.append(script);
}

interface TagManager {
  /** Passes the visitor's consent to the tag manager, and loads it at the first consent. */
  consent(granted: readonly Purpose[]): void;
  /** Sends an event if the visitor has given consent. */
  sendEvent(event: Record<string, unknown>): void;
}

/**
 * Creates a tag manager that loads only after consent (R47). Its data layer starts with all signals denied. Each page
 * view is one `page_view` event; after a withdrawal it gets no more events.
 */
export function createTagManager(containerId: string, site: Site): TagManager {
  let isLoaded = false;
  let isGranted = false;
  let stopPageViews = () => {};
  pushCommand('consent', 'default', consentSignals([]));

  const removeCookies = (purpose: Purpose) => {
    for (const [name] of cookies()) if (PURPOSE_DATA[purpose].cookies.test(name)) removeCookie(name);
  };
  const loadOnce = () => {
    if (isLoaded) return;
    isLoaded = true;
    // Before the first page view, so that the container is set up when it gets one.
    pushEntry({ 'gtm.start': Date.now(), event: 'gtm.js' });
    // Respond to the click first: a tag manager is slow to load.
    afterPaint(() => loadContainer(containerId));
  };
  return {
    consent(granted) {
      pushCommand('consent', 'update', consentSignals(granted));
      for (const purpose of PURPOSES) if (!granted.includes(purpose)) removeCookies(purpose);
      const wasGranted = isGranted;
      isGranted = granted.length > 0;
      if (isGranted === wasGranted) return;
      if (!isGranted) return stopPageViews();
      loadOnce();
      stopPageViews = watchPageViews(site, ({ route, path, title }) =>
        pushEntry({ event: 'page_view', page_route: route, page_path: path, page_title: title }),
      );
    },
    sendEvent(event) {
      if (isGranted) pushEntry(event);
    },
  };
}
