import type { PreviewBoot } from '@pillion/content/types.ts';

/**
 * Where a link leads in a preview: to the other draft's preview, within the page for its own path, else where it led.
 * @param href Absolute.
 * @param own Path that the page has or would have.
 */
export function previewHref(href: string, { post, drafts }: Pick<PreviewBoot, 'post' | 'drafts'>, own: string): string {
  if (!URL.canParse(href)) return href;
  const { origin, pathname, search, hash } = new URL(href);
  if (origin !== location.origin) return href;
  const target = pathname === own ? post : Object.hasOwn(drafts, pathname) ? drafts[pathname] : undefined;
  return target === undefined ? href : `${origin}/preview/${target}/${search}${hash}`;
}

/**
 * Leads every link to a page that has a draft to that draft's preview, those of parts that are drawn later too. The
 * address itself is written, so that it is right for whoever opens it in a tab of its own.
 */
export function leadLinksToPreviews(preview: PreviewBoot, own: string): void {
  const lead = (link: HTMLAnchorElement) => {
    const href = previewHref(link.href, preview, own);
    if (href !== link.href) link.setAttribute('href', href);
  };
  const root = document.getElementById('root');
  if (!root) return;
  const leadAll = () => {
    for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href]')) lead(link);
  };
  leadAll();
  new MutationObserver(leadAll).observe(root, { childList: true, subtree: true, attributeFilter: ['href'] });
}
