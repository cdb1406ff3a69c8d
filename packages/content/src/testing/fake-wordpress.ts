import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { bodyOf } from '@pillion/lib/testing/body.ts';
import { listen } from '@pillion/lib/testing/listen.ts';
import { PREFIXES } from '../wordpress/endpoints.ts';

/** Sends one response. Without an end it acts as a hanging WordPress. */
export type Play = (response: ServerResponse, request: IncomingMessage) => void;

export interface Recorded {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface FakeWordpress {
  url: string;
  /** Received requests, oldest first. */
  requests: Recorded[];
  /** Responses by path without query. Set one to simulate a fault. `*` matches all paths. */
  plays: Map<string, Play>;
  /** Closes idle connections, as servers do after a while. */
  dropIdle: () => void;
  /** Closes all connections, including hanging ones. */
  dropAll: () => void;
  stop: () => Promise<void>;
}

export const json =
  (value: unknown, status = 200): Play =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(value));

export const hang: Play = () => {};

export const html: Play = (response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Maintenance</title>');

export const truncated: Play = (response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":1,"type":"pa');

/** Closes the connection in the middle of a response with a larger content-length. */
export const broken: Play = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('[{"id":1', () => response.destroy());
};

/** Sends `bytes` of JSON without a content-length. */
export const huge =
  (bytes: number): Play =>
  (response) => {
    const chunk = Buffer.alloc(65_536, 'x');
    let left = bytes;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('"');
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end('"');
    };
    more();
  };

export const redirect =
  (location: string): Play =>
  (response) =>
    response.writeHead(302, { location }).end();

const notFound = json({ code: 'rest_no_route', message: 'No route was found.', data: { status: 404 } }, 404);

/** Starts an HTTP server on loopback that sends the responses of a test and records the requests. */
export async function startFakeWordpress(port = 0): Promise<FakeWordpress> {
  const plays = new Map<string, Play>();
  const requests: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await bodyOf(request);
    if (body === null) return;
    requests.push({ method, url, headers, body: body.toString('utf8') });
    const path = url.replace(/\?.*/, '');
    (plays.get(path) ?? plays.get('*') ?? notFound)(response, request);
  });
  const { url, close: stop } = await listen(server, port);
  return {
    ...{ url, requests, plays, stop },
    dropIdle: () => server.closeIdleConnections(),
    dropAll: () => server.closeAllConnections(),
  };
}

export const MENUS = PREFIXES.menus;
export const ROUTES = PREFIXES.routes;
export const STRINGS = PREFIXES.strings;
export const pagePath = (id: number) => `${PREFIXES.core}/pages/${id}`;
export const formPath = (id: number) => `${PREFIXES.forms}/${id}`;

export const route = (id: number, path: string, more: object = {}) => ({
  id,
  type: 'page',
  rest_base: 'pages',
  slug: path.split('/').at(-2) ?? '',
  path,
  title: `Page ${id}`,
  template: '',
  theme: '',
  is_front: path === '/',
  lang: 'en',
  modified: `2026-11-20T10:00:${String(id % 60).padStart(2, '0')}`,
  noindex: false,
  canonical: '',
  ...more,
});

export const page = (id: number, more: object = {}) => ({
  id,
  status: 'publish',
  title: { rendered: `Page ${id}` },
  excerpt: { rendered: '' },
  content: { rendered: `<p>Content of ${id}</p>`, protected: false },
  acf: [],
  ...more,
});

/** A small site: landing page, a page and its child, menus, strings, a form. */
export function serveSite(wordpress: FakeWordpress): void {
  const { plays, url } = wordpress;
  const sections = [
    { type: 'hero', heading: 'Read <em>on</em>', picture: picture(url, 'hero'), portrait: null },
    { type: 'sign-up', kicker: 'The list', heading: 'Join', text: '', picture: null, portrait: null, form_id: 0 },
  ];
  plays.set('/wp-json/', json({ home: url, url }));
  plays.set(
    ROUTES,
    json([route(1, '/', { template: 'landing' }), route(2, '/about/'), route(3, '/about/team/', { theme: 'light' })]),
  );
  plays.set(pagePath(1), json(page(1, { sections })));
  plays.set(pagePath(2), json(page(2)));
  plays.set(pagePath(3), json(page(3, { acf: { theme: 'light' } })));
  const legals = { items: [{ title: 'Privacy', url: `${url}/privacy/`, target: '', classes: [] }] };
  plays.set(MENUS, json({ main_menu: null, social_menu: null, legals_menu: legals }));
  plays.set(STRINGS, json({ brand: 'LIVE', labels: { join: 'Come along' } }));
  plays.set(formPath(1), json(form(1)));
}

export const picture = (url: string, name: string) => ({
  id: 9,
  url: `${url}/wp-content/uploads/${name}.webp`,
  alt: 'A tour',
  width: 1920,
  height: 1200,
  sizes: [
    { url: `${url}/wp-content/uploads/${name}-768.webp`, width: 768, height: 480 },
    { url: `${url}/wp-content/uploads/${name}-150.webp`, width: 150, height: 150 },
  ],
});

export const form = (id: number, more: object = {}) => ({
  id,
  title: 'Join',
  description: '',
  button: { type: 'text', text: 'Send' },
  fields: [{ id: 1, type: 'email', label: 'Email', isRequired: true, inputs: null, choices: '' }],
  confirmations: { a: { isDefault: true, type: 'message', message: 'Thanks' } },
  ...more,
});
