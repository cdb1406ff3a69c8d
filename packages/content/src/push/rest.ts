/** Calls WordPress' REST API as one of its users, to write. */

/** Timeout of a request, in milliseconds. WordPress creates every size of a picture before it responds. */
const TIMEOUT_MS = 120_000;

/** The push ends, with a message for the developer. */
export class PushFailed extends Error {
  /** WordPress' code of an error, such as `rest_no_route`. */
  readonly code: string | undefined;
  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

export interface Login {
  /** WordPress' address, without a trailing slash. */
  url: string;
  user: string;
  /** An application password of that user. */
  password: string;
}

export type Rest = ReturnType<typeof createRest>;

const parseJson = (text: string): { code?: string; message?: string } | null => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** WordPress' limit for `per_page`. */
const MAX_ITEMS = 100;

/** Every call rejects with `PushFailed`, which says what is wrong and what to do. */
export function createRest({ url, user, password }: Login) {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  /** @param path Below `/wp-json`. @param body Without it the request is a GET. */
  async function call(path: string, body?: unknown) {
    const isForm = body instanceof FormData;
    const request = fetch(`${url}/wp-json${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
      // The password must not reach another address.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(async (response) => ({ response, text: await response.text() }));
    const { response, text } = await request.catch((error: Error) => {
      throw new PushFailed(`${url} does not respond: ${(error.cause as Error | undefined)?.message || error.message}`);
    });
    const data = parseJson(text);
    if (response.ok && data !== null) return { data, headers: response.headers };
    throw new PushFailed(explainFailure(path, response, data), data?.code);
  }

  function explainFailure(path: string, { status, headers }: Response, data: ReturnType<typeof parseJson>): string {
    if (status === 401)
      return `${url} does not accept WORDPRESS_USER and WORDPRESS_PASSWORD. Create an application password in WordPress under Users → Profile; without https:// WordPress accepts none. If it has one, the web server may remove the header Authorization (npm run doctor).`;
    if (status >= 300 && status < 400)
      return `${url} redirects to ${headers.get('location')}. Set CONTENT_URL to the address after the redirect.`;
    const endpoint = path.replace(/\?.*/, '');
    if (data?.message) return `${endpoint}: ${data.message} (${data.code ?? status})`;
    return `${url}/wp-json${endpoint} responded with status ${status} and no JSON. CONTENT_URL must be WordPress' address, and its permalinks must not be plain.`;
  }

  return {
    // biome-ignore lint/suspicious/noExplicitAny: responses have many forms, and each is read by one caller.
    get: async (path: string): Promise<any> => (await call(path)).data,
    /** @param body JSON, or a form with a file. */
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    post: async (path: string, body: unknown): Promise<any> => (await call(path, body)).data,
    /** All items of a list, from all its pages. */
    async list<Item>(path: string): Promise<Item[]> {
      const items: Item[] = [];
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const { data, headers } = await call(
          `${path}${path.includes('?') ? '&' : '?'}per_page=${MAX_ITEMS}&page=${page}`,
        );
        items.push(...(data as Item[]));
        pages = Number(headers.get('x-wp-totalpages') ?? 1);
      }
      return items;
    },
  };
}
