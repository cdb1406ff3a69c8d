import type { Registry } from 'prom-client';
import { addGauge, addTotal } from './figures.ts';

/** This server's view of the servers of the site. */
export interface InstanceFigures {
  /** Whether this server receives the others' notifications. */
  isJoined: boolean;
  /** All servers with a heartbeat, including this one. */
  known: number;
  /** The known servers without a recent heartbeat. */
  silent: number;
  /** Notifications without a valid signature. */
  refused: number;
}

/** Adds the figures of servers that share a database. They are read at each scrape. */
export function addInstanceMetrics(registers: Registry[], figures: () => InstanceFigures): void {
  const gauge = (name: string, help: string, of: (current: InstanceFigures) => number) =>
    addGauge(registers, name, help, () => of(figures()));
  gauge('pillion_instances', 'Live servers of this site, including this one.', ({ known }) => known);
  gauge('pillion_instances_silent', 'Live servers without a recent heartbeat.', ({ silent }) => silent);
  gauge('pillion_instances_joined', 'Whether this server is connected to the others.', ({ isJoined }) =>
    isJoined ? 1 : 0,
  );
  const help = 'Refused notices: not signed with the key of this server.';
  addTotal(registers, 'pillion_instances_refused_notices_total', help, () => figures().refused);
}
