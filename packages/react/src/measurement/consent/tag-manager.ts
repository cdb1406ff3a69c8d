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

/** For each purpose, the signals of Google's Consent Mode (version 2) and the cookies of Google's tags. */
const SERVES: Record<Purpose, { signals: string[]; cookies: RegExp }> = {
  statistics: { signals: ['analytics_storage'], cookies: /^_g(?:a(?!c)|id)/ },
  marketing: { signals: ['ad_storage', 'ad_user_data', 'ad_personalization'], cookies: /^_gcl|^_gac/ },
};

const push = (entry: unknown) => {
  window.dataLayer ??= [];
  window.dataLayer.push(entry);
};

/** Pushes a command. The tag manager recognises commands by their type, an `arguments` object. */
function command(..._command: unknown[]): void {
  // biome-ignore lint/complexity/noArguments: an array would not be read.
  push(arguments);
}

const signals = (granted: readonly Purpose[]): Record<string, 'granted' | 'denied'> =>
  Object.fromEntries(
    PURPOSES.flatMap((purpose) =>
      SERVES[purpose].signals.map((signal) => [signal, granted.includes(purpose) ? 'granted' : 'denied'] as const),
    ),
  );

/** The Content-Security-Policy allows this policy by its name: packages/server/src/http/security-headers.ts. */
const policy = policyFactory?.createPolicy('tag-manager', { createScriptURL: (url) => url });

function load(id: string): void {
  const url = `https://www.googletagmanager.com/gtm.js?id=${id}`;
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
  tell(event: Record<string, unknown>): void;
}

/**
 * Creates a tag manager that loads only after consent (R47). Its data layer starts with all signals denied. Each page
 * view is one `page_view` event; after a withdrawal it gets no more events.
 */
export function createTagManager(id: string, site: Site): TagManager {
  let isLoaded = false;
  let isGranted = false;
  let stop = () => {};
  command('consent', 'default', signals([]));

  const forget = (purpose: Purpose) => {
    for (const [name] of cookies()) if (SERVES[purpose].cookies.test(name)) removeCookie(name);
  };
  const loadOnce = () => {
    if (isLoaded) return;
    isLoaded = true;
    // Before the first page view, so that the container is set up when it gets one.
    push({ 'gtm.start': Date.now(), event: 'gtm.js' });
    // Respond to the click first: a tag manager is slow to load.
    afterPaint(() => load(id));
  };
  return {
    consent(granted) {
      command('consent', 'update', signals(granted));
      for (const purpose of PURPOSES) if (!granted.includes(purpose)) forget(purpose);
      const wasGranted = isGranted;
      isGranted = granted.length > 0;
      if (isGranted === wasGranted) return;
      if (!isGranted) return stop();
      loadOnce();
      stop = watchPageViews(site, ({ route, path, title }) =>
        push({ event: 'page_view', page_route: route, page_path: path, page_title: title }),
      );
    },
    tell(event) {
      if (isGranted) push(event);
    },
  };
}
