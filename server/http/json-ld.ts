import type { Page, Strings } from '../../app/content/types.ts';
import { HERE } from '../content/page-content.ts';

/** Pages of the site's own making are nothing to tell a search engine about. */
const isFindable = ({ status, meta }: Page) => status === 200 && !meta.noindex;

/** The way to a page: the front page, those it lies under, itself. */
function breadcrumbs({ path, title, meta }: Page, brand: string, siteUrl: string) {
  return [{ title: brand, path: '/' }, ...meta.trail, { title, path }].map((step, i) => ({
    '@type': 'ListItem',
    position: i + 1,
    name: step.title,
    item: new URL(step.path, siteUrl).href,
  }));
}

type Node = Record<string, unknown>;

/** Makes addresses of this site whole, which a plugin in WordPress could not know. */
function whole(value: unknown, siteUrl: string): unknown {
  if (typeof value === 'string')
    return value.startsWith(HERE) ? new URL(value.slice(HERE.length).replace(/^\/+/, '/'), siteUrl).href : value;
  if (Array.isArray(value)) return value.map((item) => whole(item, siteUrl));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, whole(inner, siteUrl)]));
}

const typesOf = (node: Node) => [node['@type']].flat();

/** Kinds of page schema.org knows: an SEO plugin says `AboutPage` or `CollectionPage` where it is one. */
const isPage = (node: Node) => typesOf(node).some((type) => typeof type === 'string' && /Page$/.test(type));

const isSame = (a: Node, b: Node) => (isPage(a) && isPage(b)) || typesOf(a).some((type) => typesOf(b).includes(type));

/**
 * What an SEO plugin says of a page outranks ours, member by member; what it does not speak of stays as we say it. Ids
 * and the search are ours throughout: those it has name places in WordPress.
 */
function joined(own: Node[], schema: Node[], siteUrl: string): Node[] {
  const theirs = schema.map((node) => whole(node, siteUrl) as Node);
  const merged = own.map((node) => {
    const said = theirs.find((other) => isSame(node, other)) ?? {};
    const { '@id': id, potentialAction, url } = node;
    // Its title and description have been chosen already, the editor's own words before the plugin's.
    const words = isPage(node)
      ? { name: node.name, ...(node.description ? { description: node.description } : {}) }
      : {};
    return {
      ...node,
      ...said,
      ...words,
      ...(id ? { '@id': id } : {}),
      ...(url ? { url } : {}),
      ...(potentialAction ? { potentialAction } : {}),
    };
  });
  return [...merged, ...theirs.filter((other) => !own.some((node) => isSame(node, other)))];
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
    ...(page.path === '/'
      ? []
      : [
          {
            '@type': 'BreadcrumbList',
            '@id': `${address}#breadcrumb`,
            itemListElement: breadcrumbs(page, brand, siteUrl),
          },
        ]),
  ];
  const written = joined(graph, page.meta.schema, siteUrl);
  // No text of the editor's can end the block it stands in.
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': written }).replace(/</g, '\\u003c');
}
