// Loaded into a site before its own code, so that a test can move its clock: it starts CLOCK_AHEAD_MS ahead, and
// `startSite` sends the changes. They affect everything that reads the time of day, such as the age of content. Timeouts
// stay real.
import { isMainThread } from 'node:worker_threads';

// The server's threads load it too, but get no messages.
if (isMainThread && process.channel) {
  let ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);
  const now = Date.now.bind(Date);
  Date.now = () => now() + ahead;

  process.on('message', ({ forwardMs }) => {
    ahead += forwardMs;
    process.send({ forwarded: ahead });
  });
  // A listener keeps a process alive. This one ends with its server.
  process.channel.unref();
}
