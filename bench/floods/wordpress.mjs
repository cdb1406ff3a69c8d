// A WordPress as on small hosts, in a separate process: a few workers, each slow. It also replaces the analytics
// service. It sends its address, and on each message the total number of calls.
import { setTimeout as pause } from 'node:timers/promises';
import {
  form,
  formPath,
  json,
  page,
  pagePath,
  picture,
  serveSite,
  startFakeWordpress,
} from '@pillion/content/testing/fake-wordpress.ts';
import { createLimit } from '@pillion/lib/limit.ts';

const WORKERS = 8;
const TAKES_MS = 150;
const FILM = Buffer.alloc(20 * 2 ** 20, 'x');

const bytes = (body, type) => (response) =>
  response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body);

const wordpress = await startFakeWordpress();
serveSite(wordpress);
const { plays } = wordpress;
const fields = [
  { id: 1, type: 'email', label: 'Email', isRequired: true },
  { id: 2, type: 'fileupload', label: 'Film' },
];
plays.set(formPath(1), json(form(1, { fields })));
const hero = { type: 'hero', heading: 'Hello', picture: picture(wordpress.url, 'real'), portrait: null };
plays.set(pagePath(2), json(page(2, { sections: [hero] })));
plays.set('/wp-json/wp/v2/search', json([{ id: 2, subtype: 'page' }]));
plays.set('/wp-content/uploads/film.mp4', bytes(FILM, 'video/mp4'));
plays.set('/script.js', bytes(Buffer.from('void 0;'), 'text/javascript'));
plays.set('/view', bytes(Buffer.from('{}'), 'application/json'));
plays.set('/wp-json/gf/v2/forms/1/submissions', json({ is_valid: true, confirmation_message: 'Thanks' }));

const workers = createLimit(WORKERS);
const get = plays.get.bind(plays);
plays.get = (path) => {
  const play = get(path) ?? (path === '*' ? json({ code: 'rest_no_route' }, 404) : undefined);
  return (
    play &&
    ((response, request) =>
      void workers.run(async () => {
        await pause(TAKES_MS);
        play(response, request);
      }))
  );
};

process.on('message', () => process.send({ calls: wordpress.requests.length }));
process.send({ url: wordpress.url });
