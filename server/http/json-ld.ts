import type { Page, Strings } from '../../app/content/types.ts';

/** Pages of the site's own making are nothing to tell a search engine about. */
const isFindable = ({ status, meta }: Page) => status === 200 && !meta.noindex;

/** The pages above one, by their paths: the front page, then a name for each segment. */
function breadcrumbs({ path, title }: Page, brand: string, siteUrl: string) {
  const segments = path.split('/').filter(Boolean);
  const steps = segments.map((segment, i) => ({
    name: i === segments.length - 1 ? title : wordsOf(segment),
    path: `/${segments.slice(0, i + 1).join('/')}/`,
  }));
  return [{ name: brand, path: '/' }, ...steps].map((step, i) => ({
    '@type': 'ListItem',
    position: i + 1,
    name: step.name,
    item: new URL(step.path, siteUrl).href,
  }));
}

/** A slug as a person would write it. */
function wordsOf(slug: string): string {
  const words = decodeURIComponent(slug).replace(/-+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * What the page is, for search engines (schema.org): who runs the site, the site with its search, the page, the way to it.
 * @returns One graph as JSON without a `<`, `''` for a page that is not to be found.
 */
export function jsonLd(page: Page, strings: Strings, networks: string[], siteUrl: string): string {
  if (!isFindable(page)) return '';
  const { brand, description } = strings;
  const home = new URL('/', siteUrl).href;
  const address = new URL(page.meta.canonical, siteUrl).href;
  const graph = [
    {
      '@type': 'Organization',
      '@id': `${home}#organization`,
      name: brand,
      url: home,
      logo: new URL('/icon-512.png', siteUrl).href,
      ...(networks.length > 0 ? { sameAs: networks } : {}),
    },
    {
      '@type': 'WebSite',
      '@id': `${home}#website`,
      name: brand,
      url: home,
      ...(description ? { description } : {}),
      inLanguage: page.lang,
      publisher: { '@id': `${home}#organization` },
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${new URL('/search', siteUrl).href}?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    },
    {
      '@type': 'WebPage',
      '@id': address,
      url: address,
      name: page.meta.title,
      ...(page.meta.description ? { description: page.meta.description } : {}),
      inLanguage: page.lang,
      isPartOf: { '@id': `${home}#website` },
      ...(page.meta.image ? { primaryImageOfPage: new URL(page.meta.image.src, siteUrl).href } : {}),
    },
    ...(page.path === '/' ? [] : [{ '@type': 'BreadcrumbList', itemListElement: breadcrumbs(page, brand, siteUrl) }]),
  ];
  // No text of the editor's can end the block it stands in.
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replace(/</g, '\\u003c');
}
