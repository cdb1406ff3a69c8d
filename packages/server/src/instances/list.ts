import { createConnections, named } from '@pillion/sign-ups/database/connections.ts';
import { INSTANCES, SERVERS } from './schema.ts';

/** After this time without a heartbeat a server is counted but not waited for. In seconds, by the database's clock. */
const SILENT_AFTER_S = 6;
/** After this time without a heartbeat a server is removed. In seconds, by the database's clock. */
export const FORGOTTEN_AFTER_S = 30;

/** A server with a heartbeat. */
export interface Instance {
  id: string;
  name: string;
  /** Whether its last heartbeat is recent. */
  isAlive: boolean;
}

const selectInstances = (condition: string) => `
  SELECT id, name, seen_at > clock_timestamp() - interval '${SILENT_AFTER_S} s' AS "isAlive" FROM ${INSTANCES}
  WHERE ${condition} seen_at > clock_timestamp() - interval '${FORGOTTEN_AFTER_S} s' ORDER BY name`;

/** All servers but the one with the given id. */
export const OTHERS = named('others', selectInstances('id <> $1 AND'));
const ALL = named('instances', selectInstances(''));

/**
 * Lists the servers that share a database, for commands.
 * @throws If the database cannot be queried.
 */
export async function listInstances(url: string): Promise<Instance[]> {
  const connections = createConnections({ url, schema: SERVERS, max: 1, name: 'pillion-servers' });
  try {
    return await connections.query<Instance>(ALL, []);
  } finally {
    await connections.close();
  }
}
