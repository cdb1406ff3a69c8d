// One attack, in a process of its own: begins at once, as fast as it is answered, until its process is ended.
import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import autocannon from 'autocannon';

/** Connections of one attacker that ask as fast as they are answered. */
const AT_ONCE = 50;

const [name, url] = process.argv.slice(2);
const { port } = new URL(url);
let sent = 0;

/** @param requestOf Path, method and body of the next request. */
const asks = (requestOf) => () =>
  void autocannon({
    url,
    connections: AT_ONCE,
    duration: 3_600,
    timeout: 60,
    requests: [{ setupRequest: (request) => ({ ...request, ...requestOf(++sent) }) }],
  });

const gets = (pathOf) => asks((at) => ({ method: 'GET', path: pathOf(at), headers: { 'accept-encoding': 'br' } }));

const posts = (path, type, bodyOf, headers = {}) =>
  asks((at) => ({
    method: 'POST',
    path,
    body: bodyOf(at),
    headers: { 'content-type': type, accept: 'application/json', ...headers },
  }));

/** Connections that send this and read nothing; one that is ended is opened again. */
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
  beacons: posts('/stats/view', 'application/json', (at) => `{"o":"${url}/made-up-${at}"}`),
};

if (!name) throw new Error(`name one of: ${Object.keys(ATTACKS).join(', ')}`);
process.on('message', () => process.send({ sent }));
ATTACKS[name]();
process.send('up');
