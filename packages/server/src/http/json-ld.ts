import icons from 'virtual:pillion/icons';
import { SiteAddress } from '@pillion/content/pages/page-head.ts';
import type { Page, ShellContent, Strings } from '@pillion/content/types.ts';
import { jsonForMarkup } from '@pillion/lib/escape.ts';
import type { BreadcrumbList, Organization, SearchAction, WebPage, WebSite } from 'schema-dts';

/** Whether search engines may list the page. They get no data about others. */
const isIndexable = ({ status, meta }: Page) => status === 200 && !meta.noindex;

/** An object of the graph (JSON-LD). */
type Node = Record<string, unknown>;

/** Makes every address of this site absolute. */
function withAbsoluteAddresses(value: unknown, siteUrl: string): unknown {
  if (value instanceof SiteAddress) return value.under(siteUrl);
  if (Array.isArray(value)) return value.map((item) => withAbsoluteAddresses(item, siteUrl));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withAbsoluteAddresses(inner, siteUrl)]),
  );
}

const typesOf = (node: Node) => [node['@type']].flat();

/** Whether a node is any page type of schema.org. SEO plugins use `AboutPage` or `CollectionPage` too. */
const isPageNode = (node: Node) => typesOf(node).some((type) => typeof type === 'string' && /Page$/.test(type));

const areSameType = (a: Node, b: Node) =>
  (isPageNode(a) && isPageNode(b)) || typesOf(a).some((type) => typesOf(b).includes(type));

/**
 * Merges the nodes of an SEO plugin into the site's own, which have lower priority. Ids, addresses and the search stay
 * the site's own, since those of the plugin point to WordPress.
 */
function mergeNodes(siteNodes: Node[], schema: Node[], siteUrl: string): Node[] {
  const pluginNodes = schema.map((node) => withAbsoluteAddresses(node, siteUrl) as Node);
  const merged = siteNodes.map((node) => {
    const pluginNode = pluginNodes.find((other) => areSameType(node, other)) ?? {};
    const { '@id': id, potentialAction, url } = node;
    // Title and description are chosen before: the editor's texts come before the plugin's.
    const texts = isPageNode(node)
      ? { name: node.name, ...(node.description ? { description: node.description } : {}) }
      : {};
    return {
      ...node,
      ...pluginNode,
      ...texts,
      ...(id ? { '@id': id } : {}),
      ...(url ? { url } : {}),
      ...(potentialAction ? { potentialAction } : {}),
    };
  });
  return [...merged, ...pluginNodes.filter((other) => !siteNodes.some((node) => areSameType(node, other)))];
}

/** Types of schema.org, so that the compiler finds unknown members. */
type SiteNode = Organization | WebSite | WebPage | BreadcrumbList;

/** `query-input` is Google's addition to schema.org. */
type SiteSearch = SearchAction & { 'query-input': string };

const siteSearch = (home: string): SiteSearch => ({
  '@type': 'SearchAction',
  target: { '@type': 'EntryPoint', urlTemplate: `${new URL('search', home).href}?q={search_term_string}` },
  'query-input': 'required name=search_term_string',
});

function organization({ brand }: Strings, networks: string[], siteUrl: string): Organization {
  const home = new URL('/', siteUrl).href;
  return {
    '@type': 'Organization',
    '@id': `${home}#organization`,
    name: brand,
    url: home,
    ...(icons.includes('icon-512.png') ? { logo: new URL('/icon-512.png', siteUrl).href } : {}),
    ...(networks.length > 0 ? { sameAs: networks } : {}),
  };
}

/** Each language has a separate site with its own search. */
function website({ strings: { brand, description }, lang, ...shell }: ShellContent, siteUrl: string): WebSite {
  const home = new URL(shell.home, siteUrl).href;
  return {
    '@type': 'WebSite',
    '@id': `${home}#website`,
    name: brand,
    url: home,
    ...(description ? { description } : {}),
    inLanguage: lang,
    publisher: { '@id': `${new URL('/', siteUrl).href}#organization` },
    potentialAction: siteSearch(home),
  };
}

function webPage({ path, meta, lang, standIn }: Page, home: string, siteUrl: string): WebPage {
  const address = new URL(meta.canonical, siteUrl).href;
  const { title, description, image } = meta;
  return {
    '@type': 'WebPage',
    // The page's own address, even if another page is canonical, since other nodes refer to it.
    '@id': new URL(path, siteUrl).href,
    url: address,
    name: title,
    ...(description ? { description } : {}),
    inLanguage: standIn?.tag ?? lang,
    isPartOf: { '@id': `${new URL(home, siteUrl).href}#website` },
    ...(image ? { primaryImageOfPage: { '@type': 'ImageObject', url: new URL(image.src, siteUrl).href } } : {}),
  };
}

/** The front page, the parents of the page, and the page. */
const breadcrumbs = ({ path, title, meta }: Page, brand: string, home: string, siteUrl: string): BreadcrumbList => ({
  '@type': 'BreadcrumbList',
  '@id': `${new URL(meta.canonical, siteUrl).href}#breadcrumb`,
  itemListElement: [{ title: brand, path: home }, ...meta.trail, { title, path }].map((step, i) => ({
    '@type': 'ListItem',
    position: i + 1,
    name: step.title,
    item: new URL(step.path, siteUrl).href,
  })),
});

/**
 * Structured data of a page (schema.org): organization, site with search, page, breadcrumbs.
 * @param schema Nodes of an SEO plugin.
 * @returns One graph as JSON without `<`; `''` for an error page or a page with `noindex`.
 */
export function createJsonLd(page: Page, schema: Node[], shell: ShellContent, siteUrl: string): string {
  if (!isIndexable(page)) return '';
  const { strings, menus, home } = shell;
  const networks = menus.social_menu.items.filter(({ network }) => network !== null).map(({ url }) => url);
  const siteNodes: SiteNode[] = [
    organization(strings, networks, siteUrl),
    website(shell, siteUrl),
    webPage(page, home, siteUrl),
    ...(page.path === home ? [] : [breadcrumbs(page, strings.brand, home, siteUrl)]),
  ];
  const graph = mergeNodes(siteNodes as unknown as Node[], schema, siteUrl);
  return jsonForMarkup({ '@context': 'https://schema.org', '@graph': graph });
}
