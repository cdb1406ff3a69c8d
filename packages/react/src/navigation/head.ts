import type { Page } from '@pillion/content/types.ts';

/**
 * Sets an attribute of the element `tag[key="name"]` in the head. Adds the element if it is missing; removes it if `value`
 * is empty.
 */
function setHeadAttribute(tag: string, key: string, name: string, attribute: string, value: string | null): void {
  const existing = document.head.querySelector(`${tag}[${key}="${name}"]`);
  if (!value) {
    existing?.remove();
    return;
  }
  const element = existing ?? document.head.appendChild(document.createElement(tag));
  element.setAttribute(key, name);
  element.setAttribute(attribute, value);
}

const setMeta = (key: 'name' | 'property', name: string, content: string | null) =>
  setHeadAttribute('meta', key, name, 'content', content);

/** Updates the document for the current page: title, meta, language, theme, template. */
export function applyHead(page: Page): void {
  const { title, description, canonical, noindex, robots, image, share } = page.meta;
  const url = new URL(canonical, location.origin).href;
  document.title = title;
  setMeta('name', 'description', description);
  setMeta('name', 'robots', robots);
  setHeadAttribute('link', 'rel', 'canonical', 'href', noindex ? null : url);
  setMeta('property', 'og:title', share.title);
  setMeta('property', 'og:description', share.description);
  setMeta('property', 'og:url', url);
  setMeta('property', 'og:image', image && new URL(image.src, location.origin).href);
  const root = document.documentElement;
  root.lang = page.lang;
  root.dataset.theme = page.theme;
  root.dataset.template = page.template ?? '';
}
