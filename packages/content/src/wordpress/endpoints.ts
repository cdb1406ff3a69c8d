/** Where WordPress answers what (R21). */
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
  search: '/wp-json/wp/v2/search',
  uploads: '/wp-content/uploads/',
} as const;

/** One thing that can be asked for, whether WordPress answers it or the files of the bundle. */
export type Endpoint =
  | { name: 'site' }
  /** @param mayBeEmpty A second language may have no page yet; a site without one is a broken answer. */
  | { name: 'routes'; lang: string; mayBeEmpty?: boolean }
  | { name: 'menus'; lang: string }
  | { name: 'strings'; lang: string }
  /** One of several answers, from 1. */
  | { name: 'redirects'; lang: string; page: number }
  | { name: 'page'; lang: string; restBase: string; id: number }
  | { name: 'form'; lang: string; id: number };

/** The addresses WordPress believes to be its own: core's index, cut to two fields and the plugin's one. */
const SITE_PATH = '/wp-json/';

/** What the site reads of a page; the rest need not be made, sent and kept. */
const PAGE_FIELDS = 'id,status,title,content,excerpt,template,acf,sections,picture,found,yoast_head_json';

/** @returns Path and query under WordPress' address. Every call that can carry `lang` does (R23). */
export function addressOf(endpoint: Endpoint): string {
  switch (endpoint.name) {
    case 'site':
      return `${SITE_PATH}?_fields=home,url,pillion_uploads`;
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

/** @returns The file of the bundle that holds the same answer, relative to its folder. */
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

/** The endpoint as people know it, for messages: `wp/v2/pages/7`. */
export const nameOf = (endpoint: Endpoint): string =>
  addressOf(endpoint)
    .replace(/^\/wp-json\//, '')
    .replace(/\?.*/, '') || 'wp-json';
