import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import type { Site } from '../../site/site.ts';
import { policyFactory } from '../../ui/trusted-types.ts';
import { watchPageViews } from '../visit/page-views.ts';
import { cookies, removeCookie } from './cookies.ts';
import { PURPOSES, type Purpose } from './purposes.ts';

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** What Google's Consent Mode (version 2) asks about, and the cookies that are set for it. */
const SERVES: Record<Purpose, { signals: string[]; cookies: RegExp }> = {
  statistics: { signals: ['analytics_storage'], cookies: /^_g(?:a|id|at)/ },
  marketing: { signals: ['ad_storage', 'ad_user_data', 'ad_personalization'], cookies: /^_gcl|^_gac/ },
};

const push = (told: unknown) => {
  window.dataLayer ??= [];
  window.dataLayer.push(told);
};

/** The tag manager tells a command from an event by its being an `arguments` object. */
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

/** The policy's name is in the header that goes with a tag manager; see packages/server/src/http/security-headers.ts. */
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
  /** Tells the tag manager what the visitor has said yes to, and loads it at the first yes. */
  consent(granted: readonly Purpose[]): void;
  /** Tells it something, as long as the visitor wants it told. */
  tell(event: Record<string, unknown>): void;
}

/**
 * A tag manager that is not there before the visitor wants it (R47). Its data layer begins with all denied; each page
 * view is one `page_view` in it, and after a no nothing more is said.
 */
export function createTagManager(id: string, site: Site): TagManager {
  let isLoaded = false;
  let isGranted = false;
  let stop = () => {};
  command('consent', 'default', signals([]));

  const tell = (event: Record<string, unknown>) => {
    if (isGranted) push(event);
  };
  const forget = (purpose: Purpose) => {
    for (const [name] of cookies()) if (SERVES[purpose].cookies.test(name)) removeCookie(name);
  };
  return {
    consent(granted) {
      command('consent', 'update', signals(granted));
      for (const purpose of PURPOSES) if (!granted.includes(purpose)) forget(purpose);
      const was = isGranted;
      isGranted = granted.length > 0;
      if (!isGranted) stop();
      if (!isGranted || was) return;
      if (!isLoaded) {
        isLoaded = true;
        // Before the first page view: what a container sets up at its start is there when it is told of one.
        push({ 'gtm.start': Date.now(), event: 'gtm.js' });
        // The visitor's press is answered first: a tag manager is the heaviest thing on many a page.
        afterPaint(() => load(id));
      }
      stop = watchPageViews(site, ({ route, path, title }) =>
        tell({ event: 'page_view', page_route: route, page_path: path, page_title: title }),
      );
    },
    tell,
  };
}
