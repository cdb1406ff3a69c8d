import { wordpress } from './wordpress.ts';

/** The parts of a wp-admin screen that a form test needs. */
export interface Screen {
  status: number;
  headers: Headers;
  html: string;
  /** Name and value of every control, as a browser would submit them. */
  fields: Map<string, string>;
}

export interface Browser {
  page(path: string): Promise<Screen>;
  /** Submits `fields`, overridden by `changes`, and follows redirects. */
  submit(
    path: string,
    fields: Map<string, string>,
    changes: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Screen>;
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#039;': "'" };
const decode = (text: string) => text.replace(/&(amp|lt|gt|quot|#039);/g, (entity) => ENTITIES[entity] ?? entity);

const attribute = (tag: string, name: string) => {
  const found = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found ? decode(found[1] ?? found[2] ?? '') : null;
};

/** Reads the controls of the page's form. WordPress' screens use one plain markup for them. */
function fieldsOf(html: string): Map<string, string> {
  const fields = new Map<string, string>();
  const controls = /<input\b[^>]*>|<textarea\b[^>]*>[\s\S]*?<\/textarea>|<select\b[\s\S]*?<\/select>/g;
  for (const [control] of html.matchAll(controls)) {
    const name = attribute(control, 'name');
    if (name === null || /type="(?:submit|button|checkbox|radio)"/.test(control)) continue;
    fields.set(name, controlValue(control));
  }
  return fields;
}

function controlValue(control: string): string {
  if (control.startsWith('<textarea')) return decode(/>([\s\S]*)<\/textarea>/.exec(control)?.[1] ?? '');
  if (!control.startsWith('<select')) return attribute(control, 'value') ?? '';
  const options = control.match(/<option\b[^>]*>/g) ?? [];
  const chosen = options.find((option) => /\sselected/.test(option)) ?? options[0] ?? '';
  return attribute(chosen, 'value') ?? '';
}

const formOf = (html: string) => /<div id="wpbody-content">[\s\S]*/.exec(html)?.[0] ?? html;

/** Logs in to wp-admin with a cookie jar, without a browser. */
export async function login(user = 'admin', password = 'admin', site?: { url: string }): Promise<Browser> {
  const { url } = site ?? wordpress();
  const cookies = new Map<string, string>([['wordpress_test_cookie', 'WP+Cookie+check']]);

  /** Sends a request and stores the response's cookies. */
  const send = async (address: string, init: RequestInit) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { ...init, headers: { ...init.headers, cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };

  const request = async (address: string, init: RequestInit = {}): Promise<Screen> => {
    const response = await send(address, init);
    const location = response.headers.get('location');
    if (location) return request(new URL(location, address).href);
    const html = await response.text();
    return { status: response.status, headers: response.headers, html, fields: fieldsOf(formOf(html)) };
  };

  const post = (path: string, body: URLSearchParams, headers: Record<string, string> = {}) =>
    request(url + path, { method: 'POST', body, headers });
  // The redirect to the dashboard is not followed: rendering it would take time and no test reads it.
  const credentials = new URLSearchParams({ log: user, pwd: password, testcookie: '1' });
  await send(`${url}/wp-login.php`, { method: 'POST', body: credentials });
  return {
    page: (path) => request(url + path),
    submit: (path, fields, changes, headers) =>
      post(path, new URLSearchParams({ ...Object.fromEntries(fields), ...changes }), headers),
  };
}
