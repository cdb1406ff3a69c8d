import type { BrowserContext, Page } from '@playwright/test';

/** A minimal container: takes over the data layer and sets the cookies of analytics and advertising. */
const CONTAINER = `
  window.tagManagerStartedWith = window.dataLayer.length;
  document.cookie = '_ga=GA1.1.1.1; path=/; max-age=600';
  document.cookie = '_ga_TEST=GS1.1; path=/; max-age=600';
  document.cookie = '_gac_TEST=1.1; path=/; max-age=600';
  document.cookie = '_gcl_au=1.1; path=/; max-age=600';
`;

/** Replaces Google, which no test may request. @returns The requested addresses, in order. */
export async function fakeTagManager(context: BrowserContext): Promise<string[]> {
  const requested: string[] = [];
  await context.route('https://www.googletagmanager.com/**', (route) => {
    requested.push(route.request().url());
    return route.fulfill({ contentType: 'text/javascript', body: CONTAINER });
  });
  return requested;
}

/** @returns The hosts of all requests of `page` from now on, except the site's own, in order. */
export function logForeignHosts(page: Page, site: string): string[] {
  const hosts: string[] = [];
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (/^(?:https?|wss?):$/.test(protocol) && host !== new URL(site).host) hosts.push(host);
  });
  return hosts;
}

/** The data layer as plain values; a command (an `arguments` object) becomes a list that begins with `command`. */
export const readDataLayer = (page: Page): Promise<unknown[]> =>
  page.evaluate(() =>
    ((window as { dataLayer?: object[] }).dataLayer ?? []).map((entry) =>
      Object.prototype.toString.call(entry) === '[object Arguments]'
        ? ['command', ...Array.from(entry as ArrayLike<unknown>)]
        : { ...entry },
    ),
  );
