import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that listens on loopback. */
export interface Listening {
  url: string;
  port: number;
  /** Ends it, with all connections. */
  close: () => Promise<void>;
}

/** @param port Default: a free one. @throws If the port is not available. */
export async function listen(server: Server, port = 0): Promise<Listening> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const { port: listeningPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${listeningPort}`,
    port: listeningPort,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
