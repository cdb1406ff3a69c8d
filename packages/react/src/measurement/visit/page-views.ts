import type { Site } from '../../site/site.ts';

interface PageView {
  /** What kind of page: its own path, or `/404`, `/503` where the address has none. */
  route: string;
  /** The address the visitor is at, without query. */
  path: string;
  title: string;
}

/**
 * Calls `told` for the page that is shown and for each one after it, Back and Forward too. The shell's texts may come
 * anew under a page that stays: that is no view.
 * @returns Stops watching.
 */
export function watchPageViews(site: Site, told: (view: PageView) => void): () => void {
  let shown: unknown = null;
  const tell = () => {
    const { page } = site.view();
    if (page === shown) return;
    shown = page;
    const route = page.status === 200 ? page.path : `/${page.status}`;
    told({ route, path: location.pathname, title: page.meta.title });
  };
  tell();
  return site.subscribe(tell);
}
