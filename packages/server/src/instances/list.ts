import { createConnections } from '@pillion/sign-ups/database/connections.ts';
import { INSTANCES, SERVERS } from './schema.ts';

/** Who has said nothing for so long is not waited for, but counted and named. By the database's clock, in seconds. */
const SILENT_AFTER_S = 6;
/** Who has said nothing for so long is forgotten. By the database's clock, in seconds. */
export const FORGOTTEN_AFTER_S = 30;

/** A server that has said that it lives. */
export interface Other {
  id: string;
  name: string;
  /** Whether it was heard of lately. */
  isHere: boolean;
}

const listed = (which: string) => `
  SELECT id, name, seen_at > clock_timestamp() - interval '${SILENT_AFTER_S} s' AS "isHere" FROM ${INSTANCES}
  WHERE ${which} seen_at > clock_timestamp() - interval '${FORGOTTEN_AFTER_S} s' ORDER BY name`;

/** All but the one whose id is given. */
export const OTHERS = { name: 'pillion others', text: listed('id <> $1 AND') };
const ALL = { name: 'pillion instances', text: listed('') };

/**
 * Servers that share a database, for commands.
 * @throws Where it cannot be asked.
 */
export async function listInstances(url: string): Promise<Other[]> {
  const connections = createConnections({ url, schema: SERVERS, most: 1, name: 'pillion-servers' });
  try {
    return await connections.query<Other>(ALL, []);
  } finally {
    await connections.close();
  }
}
