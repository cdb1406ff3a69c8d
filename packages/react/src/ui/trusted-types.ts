/** The part of the Trusted Types API that we use; TypeScript's DOM library does not describe it yet. */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createHTML?: (html: string) => string; createScriptURL?: (url: string) => string },
  ): { createHTML(html: string): unknown; createScriptURL(url: string): string };
}

/** Makes policies; `undefined` in a browser that enforces none. */
export const policyFactory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;

/** HTML reaches this policy only from the server, which has put it through its allow-list: nothing is left to check. */
const sanitised = policyFactory?.createPolicy('pillion', { createHTML: (html) => html });

/**
 * What was marked already. React tells by identity whether markup has changed: a new object for the same text would
 * build it anew at every drawing, and take focus, selection and playing sound with it.
 */
const marked = new Map<string, string>();
/** Texts remembered; a page has a handful. */
const MARKED_COUNT = 100;

/**
 * Marks sanitised rich text as fit for `innerHTML` under `require-trusted-types-for 'script'`.
 * @param html From a `Page` or `Form` value, never from the visitor.
 * @returns Typed as a string for React's sake; in a browser with Trusted Types it is a TrustedHTML object.
 */
export function trustedHtml(html: string): string {
  if (!sanitised) return html;
  const known = marked.get(html);
  if (known) return known;
  if (marked.size >= MARKED_COUNT) marked.clear();
  const trusted = sanitised.createHTML(html) as string;
  marked.set(html, trusted);
  return trusted;
}

/**
 * Installs the policy for script addresses given as plain strings (workers, analytics): only our own origin passes.
 * @throws From the sink itself, for any other address.
 */
export function allowOwnScripts(): void {
  policyFactory?.createPolicy('default', {
    createScriptURL: (url) => {
      // By its address: a `blob:` has our origin too, and holds what somebody has put together in the page.
      if (new URL(url, location.href).href.startsWith(`${location.origin}/`)) return url;
      throw new TypeError(`Blocked script: ${url}`);
    },
  });
}
