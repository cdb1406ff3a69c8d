// A visitor in a separate process with a separate address, who requests pages in sequence as a browser does. After a
// message with the number of pages it replies with their durations in milliseconds, smallest first.
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Another loopback address, so that the visitor is not in the attacker's network. */
const ADDRESS = '127.0.0.2';
/** Pause between two pages in milliseconds, longer than a page takes, so that the visitor adds no load. */
const BETWEEN_MS = 10;
const GIVES_UP_MS = 20_000;

const [url] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: ADDRESS });

const visit = () =>
  new Promise((resolve) => {
    const begun = performance.now();
    const done = () => resolve(performance.now() - begun);
    const headers = { 'accept-encoding': 'gzip, deflate, br', accept: 'text/html', 'x-visitor': '1' };
    get(url, { agent, headers, timeout: GIVES_UP_MS }, (response) => {
      if (response.statusCode !== 200) throw new Error(`a visitor got the status ${response.statusCode}`);
      response.resume().on('end', done);
    })
      .on('timeout', function () {
        this.destroy();
        done();
      })
      .on('error', done);
  });

process.on('message', async ({ pages }) => {
  const took = [];
  for (let at = 0; at < pages; at++) {
    took.push(await visit());
    await pause(BETWEEN_MS);
  }
  process.send(took.toSorted((a, b) => a - b));
});
process.send('up');
