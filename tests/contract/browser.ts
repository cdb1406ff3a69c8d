import { wordpress } from './wordpress.ts';

/** A screen of wp-admin, as far as a form needs it. */
export interface Screen {
  status: number;
  headers: Headers;
  html: string;
  /** Values by name of every control on it, as a browser would send them. */
  fields: Map<string, string>;
}

export interface Browser {
  page(path: string): Promise<Screen>;
  /** Sends `fields` with `changes` over them, and follows to where the answer leads. */
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

/** Controls of the page's own form; WordPress' screens write them in one plain way. */
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

/** Logs in to wp-admin with a jar of cookies: what an editor's browser does, without one. */
export async function login(user = 'admin', password = 'admin', site?: { url: string }): Promise<Browser> {
  const { url } = site ?? wordpress();
  const jar = new Map<string, string>([['wordpress_test_cookie', 'WP+Cookie+check']]);

  /** Asks once, and keeps the cookies of the answer. */
  const ask = async (address: string, init: RequestInit) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { ...init, headers: { ...init.headers, cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return response;
  };

  const request = async (address: string, init: RequestInit = {}): Promise<Screen> => {
    const response = await ask(address, init);
    const location = response.headers.get('location');
    if (location) return request(new URL(location, address).href);
    const html = await response.text();
    return { status: response.status, headers: response.headers, html, fields: fieldsOf(formOf(html)) };
  };

  const post = (path: string, body: URLSearchParams, headers: Record<string, string> = {}) =>
    request(url + path, { method: 'POST', body, headers });
  // The answer leads to the dashboard: WordPress would put that together for nobody.
  const credentials = new URLSearchParams({ log: user, pwd: password, testcookie: '1' });
  await ask(`${url}/wp-login.php`, { method: 'POST', body: credentials });
  return {
    page: (path) => request(url + path),
    submit: (path, fields, changes, headers) =>
      post(path, new URLSearchParams({ ...Object.fromEntries(fields), ...changes }), headers),
  };
}
