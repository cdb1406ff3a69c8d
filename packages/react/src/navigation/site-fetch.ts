/**
 * Sends a request from the page to its own site (R22). The `Env` header has the deployment's name, from `<html
 * data-env>`.
 * @throws The errors of `fetch`: a TypeError without network, an AbortError if `init.signal` aborts.
 */
export function siteFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Env', document.documentElement.dataset.env ?? 'production');
  return fetch(path, { ...init, headers });
}
