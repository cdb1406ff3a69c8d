/** Paths of WordPress' endpoints (R21). */
export const PREFIXES = {
  core: '/wp-json/wp/v2',
  routes: '/wp-json/gusto/routes',
  strings: '/wp-json/gusto/options',
  menus: '/wp-json/gusto/nav/menu-locations',
  redirects: '/wp-json/pillion/v1/redirects',
  forms: '/wp-json/gf/v2/forms',
  checks: '/wp-json/pillion/v1/forms',
  previews: '/wp-json/pillion/v1/preview',
  due: '/wp-json/pillion/v1/due',
  destinations: '/wp-json/pillion/v1/destinations',
  search: '/wp-json/wp/v2/search',
  uploads: '/wp-content/uploads/',
} as const;

/** Content that can be requested from WordPress or read from the bundled copy. */
export type Endpoint =
  /** WordPress' own addresses, from the index of its REST API, with a field of the plugin. */
  | { name: 'site' }
  /** @param mayBeEmpty A further language may have no page yet. A site without pages is an invalid response. */
  | { name: 'routes'; lang: string; mayBeEmpty?: boolean }
  | { name: 'menus'; lang: string }
  | { name: 'strings'; lang: string }
  /** One of several responses, from 1. */
  | { name: 'redirects'; lang: string; page: number }
  | { name: 'page'; lang: string; restBase: string; id: number }
  | { name: 'form'; lang: string; id: number };

/** Fields of a page that the site reads. */
const PAGE_FIELDS = 'id,status,title,content,excerpt,template,acf,sections,picture,found,yoast_head_json';

/** @returns Path and query, relative to WordPress' address. All calls that support `lang` have it (R23). */
export function endpointPath(endpoint: Endpoint): string {
  switch (endpoint.name) {
    case 'site':
      return `/wp-json/?_fields=home,url,pillion_uploads`;
    case 'page':
      return `${PREFIXES.core}/${endpoint.restBase}/${endpoint.id}?_fields=${PAGE_FIELDS}&lang=${endpoint.lang}`;
    case 'redirects':
      return `${PREFIXES.redirects}?page=${endpoint.page}&lang=${endpoint.lang}`;
    case 'form':
      return `${PREFIXES.forms}/${endpoint.id}?lang=${endpoint.lang}`;
    default:
      return `${PREFIXES[endpoint.name]}?lang=${endpoint.lang}`;
  }
}

/** @returns The bundled file with the same response, relative to its folder. */
export function fileOf(endpoint: Endpoint): string {
  switch (endpoint.name) {
    case 'site':
      return 'site.json';
    case 'page':
      return `${endpoint.lang}/${endpoint.restBase}/${endpoint.id}.json`;
    case 'redirects':
      return `${endpoint.lang}/redirects${endpoint.page === 1 ? '' : `-${endpoint.page}`}.json`;
    case 'form':
      return `${endpoint.lang}/forms/${endpoint.id}.json`;
    default:
      return `${endpoint.lang}/${endpoint.name}.json`;
  }
}

/** Name of the endpoint for messages: `wp/v2/pages/7`. */
export const nameOf = (endpoint: Endpoint): string =>
  endpointPath(endpoint)
    .replace(/^\/wp-json\//, '')
    .replace(/\?.*/, '') || 'wp-json';
