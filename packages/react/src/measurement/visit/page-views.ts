import type { Page } from '@pillion/content/types.ts';
import type { Site } from '../../site/site.ts';

interface PageView {
  /** The page's path; `/404` or `/503` for an error page. */
  route: string;
  /** Path of the URL, without query. */
  path: string;
  title: string;
}

/**
 * Calls `report` for the current page and each later one, including Back and Forward. A refresh of the shell's texts is
 * no page view.
 * @returns A function that stops this.
 */
export function watchPageViews(site: Site, report: (view: PageView) => void): () => void {
  let reportedPage: Page | null = null;
  const reportView = () => {
    const { page } = site.view();
    if (page === reportedPage) return;
    reportedPage = page;
    const route = page.status === 200 ? page.path : `/${page.status}`;
    report({ route, path: location.pathname, title: page.meta.title });
  };
  reportView();
  return site.subscribe(reportView);
}
