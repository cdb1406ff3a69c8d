import type { Page, ShellContent } from './types.ts';

/** What a page of the site's own making says of itself. */
export type OwnPage = Pick<Page, 'status' | 'title' | 'template'> &
  Partial<Pick<Page, 'outcome' | 'search' | 'reference'>>;

/** A page of the site's own making, which no editor wrote: in the shell, and out of every index. */
export function ownPage(path: string, { lang, strings: { brand, description } }: ShellContent, page: OwnPage): Page {
  const title = `${page.title} | ${brand}`;
  return {
    outcome: null,
    search: null,
    ...page,
    path,
    lang,
    theme: 'dark',
    sections: [],
    meta: {
      title,
      description,
      canonical: path,
      noindex: true,
      robots: 'noindex',
      image: null,
      share: { title, description },
      trail: [],
    },
  };
}
