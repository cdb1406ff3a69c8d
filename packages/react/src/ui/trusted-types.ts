/** The part of the Trusted Types API that the site uses; TypeScript's DOM library does not describe it yet. */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createHTML?: (html: string) => string; createScriptURL?: (url: string) => string },
  ): { createHTML(html: string): unknown; createScriptURL(url: string): string };
}

/** Creates policies; `undefined` in a browser without Trusted Types. */
export const policyFactory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;

/** Accepts all HTML: it comes only from the server, which has sanitised it. */
const htmlPolicy = policyFactory?.createPolicy('pillion', { createHTML: (html) => html });

/**
 * TrustedHTML objects by their text. React compares markup by identity: a new object for the same text would rebuild
 * the DOM on every render, and lose focus, selection and playback.
 */
const trustedTexts = new Map<string, string>();
/** Maximum number of texts in memory; a page has few. */
const MAX_TRUSTED_TEXTS = 100;

/**
 * Marks sanitised rich text as safe for `innerHTML` under `require-trusted-types-for 'script'`.
 * @param html From a `Page` or `Form` value, never from a visitor.
 * @returns Typed as a string for React; in a browser with Trusted Types it is a TrustedHTML object.
 */
export function trustedHtml(html: string): string {
  if (!htmlPolicy) return html;
  const cached = trustedTexts.get(html);
  if (cached) return cached;
  if (trustedTexts.size >= MAX_TRUSTED_TEXTS) trustedTexts.clear();
  const trusted = htmlPolicy.createHTML(html) as string;
  trustedTexts.set(html, trusted);
  return trusted;
}

/**
 * Installs the policy for script URLs that are plain strings (workers, analytics): only the site's origin is allowed.
 * @throws For any other URL, where the script is used.
 */
export function allowOwnScripts(): void {
  policyFactory?.createPolicy('default', {
    createScriptURL: (url) => {
      // Compare the full URL: the origin of a `blob:` URL is the site's too, but its content may be generated in the
      // page.
      if (new URL(url, location.href).href.startsWith(`${location.origin}/`)) return url;
      throw new TypeError(`Blocked script: ${url}`);
    },
  });
}
