import { Counter, Gauge, type Registry } from 'prom-client';

/** What this server knows of those that show the same site. */
export interface InstanceFigures {
  /** Whether this one hears the others. */
  isJoined: boolean;
  /** All that are known to live, this one among them. */
  known: number;
  /** Of those, the ones that were not heard of lately. */
  silent: number;
  /** Notices that no server with this key had signed. */
  refused: number;
}

/** Adds the figures of servers that share a database, read when somebody asks for them. */
export function addInstanceMetrics(registers: Registry[], figures: () => InstanceFigures): void {
  const gauge = (name: string, help: string, of: (known: InstanceFigures) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(of(figures()));
      },
    });
  gauge('pillion_instances', 'Servers of this site that are known to live, this one among them.', ({ known }) => known);
  gauge('pillion_instances_silent', 'Of those, the ones that were not heard of lately.', ({ silent }) => silent);
  gauge('pillion_instances_joined', 'Whether this server hears the others.', ({ isJoined }) => (isJoined ? 1 : 0));
  new Counter({
    name: 'pillion_instances_refused_notices_total',
    help: 'Notices in the database that were not signed with the key of this server.',
    registers,
    collect() {
      this.reset();
      this.inc(figures().refused);
    },
  });
}
