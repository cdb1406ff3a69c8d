import type { Page } from '@pillion/content/types.ts';

/**
 * Sets an attribute of an element in the head. Creates the element if it is missing; removes it if `value` is `null`.
 */
function set(selector: string, make: () => HTMLElement, attribute: string, value: string | null): void {
  let element = document.head.querySelector<HTMLElement>(selector);
  if (value === null) {
    element?.remove();
    return;
  }
  if (!element) {
    element = make();
    document.head.append(element);
  }
  element.setAttribute(attribute, value);
}

function metaMaker(key: 'name' | 'property', name: string) {
  return () => {
    const element = document.createElement('meta');
    element.setAttribute(key, name);
    return element;
  };
}

const setMeta = (key: 'name' | 'property', name: string, content: string | null) =>
  set(`meta[${key}="${name}"]`, metaMaker(key, name), 'content', content || null);

function makeCanonical(): HTMLElement {
  const element = document.createElement('link');
  element.setAttribute('rel', 'canonical');
  return element;
}

/** Updates the document for the current page: title, meta, language, theme, template. */
export function applyHead(page: Page): void {
  const { title, description, canonical, noindex, robots, image, share } = page.meta;
  const address = new URL(canonical, location.origin).href;
  document.title = title;
  setMeta('name', 'description', description);
  setMeta('name', 'robots', robots);
  set('link[rel="canonical"]', makeCanonical, 'href', noindex ? null : address);
  setMeta('property', 'og:title', share.title);
  setMeta('property', 'og:description', share.description);
  setMeta('property', 'og:url', address);
  setMeta('property', 'og:image', image && new URL(image.src, location.origin).href);
  const root = document.documentElement;
  root.lang = page.lang;
  root.dataset.theme = page.theme;
  root.dataset.template = page.template ?? '';
}
