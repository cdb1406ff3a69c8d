import { SiteAddress } from '@pillion/content/pages/page-head.ts';
import type { Page, ShellContent, Strings } from '@pillion/content/types.ts';
import { jsonForMarkup } from '@pillion/lib/escape.ts';
import type { BreadcrumbList, Organization, SearchAction, WebPage, WebSite } from 'schema-dts';

/** Pages of the site's own making are nothing to tell a search engine about. */
const isFindable = ({ status, meta }: Page) => status === 200 && !meta.noindex;

type Node = Record<string, unknown>;

/** Makes every address of this site whole. */
function whole(value: unknown, siteUrl: string): unknown {
  if (value instanceof SiteAddress) return value.under(siteUrl);
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

/** As schema.org's own vocabulary has them: the compiler knows a member that it has not. */
type Described = Organization | WebSite | WebPage | BreadcrumbList;

/** Google's own addition to schema.org names what is searched for. */
type SiteSearch = SearchAction & { 'query-input': string };

const searchOf = (home: string): SiteSearch => ({
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
    logo: new URL('/icon-512.png', siteUrl).href,
    ...(networks.length > 0 ? { sameAs: networks } : {}),
  };
}

/** Each language's is a site of its own, with its own search. */
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
    potentialAction: searchOf(home),
  };
}

function webPage({ path, meta, lang, standIn }: Page, home: string, siteUrl: string): WebPage {
  const address = new URL(meta.canonical, siteUrl).href;
  const { title, description, image } = meta;
  return {
    '@type': 'WebPage',
    // Named after itself, since others of the graph point to it, even where it is a copy of another page.
    '@id': new URL(path, siteUrl).href,
    url: address,
    name: title,
    ...(description ? { description } : {}),
    inLanguage: standIn?.tag ?? lang,
    isPartOf: { '@id': `${new URL(home, siteUrl).href}#website` },
    ...(image ? { primaryImageOfPage: { '@type': 'ImageObject', url: new URL(image.src, siteUrl).href } } : {}),
  };
}

/** The way to a page: the front page, those it lies under, itself. */
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
 * What the page is, for search engines (schema.org): who runs the site, the site with its search, the page, the way to it.
 * @param schema What an SEO plugin says of the page.
 * @returns One graph as JSON without a `<`, `''` for a page that is not to be found.
 */
export function jsonLd(page: Page, schema: Node[], shell: ShellContent, siteUrl: string): string {
  if (!isFindable(page)) return '';
  const { strings, menus, home } = shell;
  const networks = menus.social_menu.items.filter(({ network }) => network !== null).map(({ url }) => url);
  const own: Described[] = [
    organization(strings, networks, siteUrl),
    website(shell, siteUrl),
    webPage(page, home, siteUrl),
    ...(page.path === home ? [] : [breadcrumbs(page, strings.brand, home, siteUrl)]),
  ];
  const graph = joined(own as unknown as Node[], schema, siteUrl);
  return jsonForMarkup({ '@context': 'https://schema.org', '@graph': graph });
}
