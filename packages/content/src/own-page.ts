import type { Page, ShellContent } from './types.ts';

/** Content of a page that the site generates. */
export type GeneratedPage = Pick<Page, 'status' | 'title' | 'template'> &
  Partial<Pick<Page, 'outcome' | 'search' | 'reference'>>;

/** Makes a page that no editor wrote. It is not indexed. */
export function createGeneratedPage(
  path: string,
  { lang, strings: { brand, description } }: ShellContent,
  page: GeneratedPage,
): Page {
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
