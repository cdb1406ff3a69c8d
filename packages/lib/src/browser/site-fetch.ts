/**
 * The browser's own client (R22): the site's address, with the deployment's name in the `Env` header.
 * The name travels on `<html data-env>`, so that this needs no start-up of its own.
 * @throws What `fetch` throws: a TypeError without network, an AbortError when `init.signal` aborts.
 */
export function siteFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Env', document.documentElement.dataset.env ?? 'production');
  return fetch(path, { ...init, headers });
}
