import type { PreviewBoot } from '@pillion/content/types.ts';

/** WordPress writes percent codes in lower case, the site in upper case. */
const lowerCasePercentCodes = (path: string) => path.replace(/%[\dA-F]{2}/gi, (code) => code.toLowerCase());

/**
 * The target of a link in a preview: the preview of a page with a draft, the page's own preview for its path, otherwise
 * unchanged.
 * @param href Absolute URL.
 * @param ownPath Path that the page has or will have.
 */
export function previewHref(
  href: string,
  { post, drafts }: Pick<PreviewBoot, 'post' | 'drafts'>,
  ownPath: string,
): string {
  if (!URL.canParse(href)) return href;
  const { origin, pathname, search, hash } = new URL(href);
  if (origin !== location.origin) return href;
  const isLinked = (path: string) => lowerCasePercentCodes(path) === lowerCasePercentCodes(pathname);
  const target = isLinked(ownPath) ? post : Object.entries(drafts).find(([path]) => isLinked(path))?.[1];
  return target === undefined ? href : `${origin}/preview/${target}/${search}${hash}`;
}

/**
 * Points each link to a page with a draft to that draft's preview, including links that are added later. It changes the
 * `href`, so that the link also works in a new tab.
 */
export function pointLinksToPreviews(preview: PreviewBoot, ownPath: string): void {
  const updateLink = (link: HTMLAnchorElement) => {
    const href = previewHref(link.href, preview, ownPath);
    if (href !== link.href) link.setAttribute('href', href);
  };
  const root = document.getElementById('root');
  if (!root) return;
  const updateLinks = () => {
    for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href]')) updateLink(link);
  };
  updateLinks();
  new MutationObserver(updateLinks).observe(root, { childList: true, subtree: true, attributeFilter: ['href'] });
}
