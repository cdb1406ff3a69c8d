/** Stylesheets that this function has added, by their address. */
const addedStyles = new Map<string, Promise<unknown>>();

/**
 * Adds a stylesheet to the document, once. Resolves when it is loaded or has failed: unstyled text is still readable. One
 * that has failed is requested again by the next call.
 * @returns `undefined` if the server's document links it.
 */
export function addStyles(href: string): Promise<unknown> | undefined {
  if (document.querySelector(`link[href="${href}"]`)) return addedStyles.get(href);
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  const loaded = new Promise((resolve) => {
    link.onload = resolve;
    link.onerror = () => resolve(link.remove());
    document.head.append(link);
  });
  addedStyles.set(href, loaded);
  return loaded;
}
