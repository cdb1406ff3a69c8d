// Loaded into a site before its own code, so that a test moves its clock: it starts CLOCK_AHEAD_MS ahead, and `startSite`
// sends how far it goes on or back. What is judged by the time of day (how old content is) comes when it is asked to; what
// is counted from now on (timeouts) stays real.
import { isMainThread } from 'node:worker_threads';

// The server's threads load it too: nobody sends them anything.
if (isMainThread && process.channel) {
  let ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);
  const now = Date.now.bind(Date);
  Date.now = () => now() + ahead;

  process.on('message', ({ forwardMs }) => {
    ahead += forwardMs;
    process.send({ forwarded: ahead });
  });
  // Whoever listens keeps a process alive: this one ends when its server does.
  process.channel.unref();
}
