import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Systems take ports for connections and for "any port" from 32768 on (Linux) or 49152 (IANA). A port below them is still free
 * when the program that was given it listens, even seconds later on a busy machine.
 */
const PORT_RANGE = { from: 20_000, to: 32_000 };

/**
 * Listens briefly on a port.
 * @param {number} port 0: any.
 * @returns {Promise<number | null>} The port, or `null` if it is in use.
 */
export function tryPort(port) {
  if (port === 0) return findFreePort();
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ cause) =>
      cause.code === 'EADDRINUSE' ? resolve(null) : reject(cause),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)));
  });
}

/** @returns {Promise<number>} A port that is free at the moment. */
export async function findFreePort() {
  for (;;) {
    const port = await tryPort(randomInt(PORT_RANGE.from, PORT_RANGE.to));
    if (port !== null) return port;
  }
}
