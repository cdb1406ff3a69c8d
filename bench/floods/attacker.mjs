// One attack in a separate process. It starts at once, waits only for responses, and runs until the process is killed.
import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { draftOf, tokenOf } from '@pillion/content/testing/preview.ts';
import autocannon from 'autocannon';

/** Parallel connections of one attacker. */
const AT_ONCE = 50;

const [name, url] = process.argv.slice(2);
const { port } = new URL(url);
let sent = 0;

/** @param requestOf Path, method and body of the next request. */
const asks =
  (requestOf, connections = AT_ONCE) =>
  () =>
    void autocannon({
      url,
      connections,
      duration: 3_600,
      timeout: 60,
      requests: [{ setupRequest: (request) => ({ ...request, ...requestOf(++sent) }) }],
    });

const gets = (pathOf) => asks((at) => ({ method: 'GET', path: pathOf(at), headers: { 'accept-encoding': 'br' } }));

const posts = (path, type, bodyOf, headers = {}, connections = AT_ONCE) =>
  asks(
    (at) => ({
      method: 'POST',
      path,
      body: bodyOf(at),
      headers: { 'content-type': type, accept: 'application/json', ...headers },
    }),
    connections,
  );

/** The token of a Contributor who has opened the preview pane. Older sites read it from the body. */
const token = tokenOf({ k: 'pane' }, `whsec_${Buffer.alloc(24, 'x').toString('base64')}`);

/** Sends a Contributor's drafts, four in parallel. @param draft Its JSON. */
const drafts = (draft) =>
  posts(
    '/preview/render',
    'application/json',
    () => `{"token":"${token}","draft":${draft}}`,
    { 'pillion-preview-token': token },
    4,
  );

/** @param sections Number of sections, each with 2,000 characters in paragraphs with links. */
function draftWith(sections) {
  const draft = draftOf({ url: 'http://wordpress.example' });
  const html = '<p>Some words of a paragraph, <a href="/about/">with a link</a> and <b>more</b>.</p>'.repeat(24);
  const page = { ...draft.page, sections: Array.from({ length: sections }, () => ({ type: 'rich-text', html })) };
  return JSON.stringify({ ...draft, page, blocks: page.sections.map((_, at) => at) });
}

/** The slowest JSON to parse, 1.9 MB. */
const NESTED = '['.repeat(950_000) + ']'.repeat(950_000);

/** Opens connections that send this text and read nothing. Closed ones are reopened. */
const stands = (text, count) => () => {
  const open = () => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.pause();
      if (text) socket.write(text);
      sent++;
    });
    socket.on('error', () => {}).once('close', () => setTimeout(open, 1_000));
  };
  for (let at = 0; at < count; at++) open();
};

const field = (key, value) => `--x\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`;
const FILE = `--x\r\nContent-Disposition: form-data; name="input_2"; filename="film.bin"\r\n\r\n${'x'.repeat(1_000_000)}\r\n--x--\r\n`;

const ATTACKS = {
  'stalled readers': stands('GET /media/film.mp4 HTTP/1.1\r\nHost: a\r\n\r\n', 300),
  'idle connections': stands('', 500),
  'form numbers': gets((at) => `/api/sign-ups/thanks?form_id=${at + 1_000}`),
  'media names': gets((at) => `/media/2026/made-${at}.webp`),
  'page paths': gets((at) => `/made-up-${at}/`),
  'page paths as JSON': gets((at) => `/api/page?path=/made-up-${at}/&lang=en`),
  searches: gets((at) => `/search?q=made+up+${at}`),
  'sign-ups': posts(
    '/api/sign-ups',
    'application/x-www-form-urlencoded',
    (at) => `form_id=1&input_1=a${at}%40example.org&sign_up_id=${randomUUID()}`,
  ),
  uploads: posts(
    '/api/sign-ups',
    'multipart/form-data; boundary=x',
    (at) => field('form_id', '1') + field('input_1', `a${at}@example.org`) + FILE,
  ),
  webhooks: posts('/api/revalidate', 'application/json', () => '{"id":1,"type":"page","path":"/","status":"publish"}', {
    'webhook-id': randomUUID(),
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': `v1,${randomBytes(32).toString('base64')}`,
  }),
  'unsigned drafts': posts('/preview/render', 'application/json', () => `{"token":"a.b","draft":${NESTED}}`),
  'nested drafts': drafts(NESTED),
  'long drafts': drafts(draftWith(930)),
  'drafts at the limit': drafts(draftWith(235)),
  'slow questions': stands(
    `POST /api/preview/check HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\nwebhook-id: a\r\nwebhook-timestamp: ${Math.floor(Date.now() / 1000)}\r\nwebhook-signature: v1,AAAA\r\npillion-signature: AAAA\r\n\r\n${'x'.repeat(1_990_000)}`,
    450,
  ),
  beacons: posts('/stats/view', 'application/json', (at) => `{"o":"${url}/made-up-${at}"}`),
};

if (!name) throw new Error(`name one of: ${Object.keys(ATTACKS).join(', ')}`);
process.on('message', () => process.send({ sent }));
ATTACKS[name]();
process.send('up');
