/** The part of the Trusted Types API that we use; TypeScript's DOM library does not describe it yet. */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createHTML?: (html: string) => string; createScriptURL?: (url: string) => string },
  ): { createHTML(html: string): unknown };
}

const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;

/** HTML reaches this policy only from the server, which has put it through its allow-list: nothing is left to check. */
const sanitised = factory?.createPolicy('pillion', { createHTML: (html) => html });

/**
 * Marks sanitised rich text as fit for `innerHTML` under `require-trusted-types-for 'script'`.
 * @param html From a `Page` or `Form` value, never from the visitor.
 * @returns Typed as a string for React's sake; in a browser with Trusted Types it is a TrustedHTML object.
 */
export const trustedHtml = (html: string): string => (sanitised ? (sanitised.createHTML(html) as string) : html);

/**
 * Installs the policy for script addresses given as plain strings (workers, analytics): only our own origin passes.
 * @throws From the sink itself, for any other address.
 */
export function allowOwnScripts(): void {
  factory?.createPolicy('default', {
    createScriptURL: (url) => {
      if (new URL(url, location.href).origin === location.origin) return url;
      throw new TypeError(`Blocked a script from another origin: ${url}`);
    },
  });
}
