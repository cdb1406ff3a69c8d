import { Counter, Gauge, type Registry } from 'prom-client';

/** A gauge that is read at each scrape. */
export const addGauge = (registers: Registry[], name: string, help: string, value: () => number) =>
  new Gauge({
    ...{ name, help, registers },
    collect() {
      this.set(value());
    },
  });

/** A counter whose total is stored elsewhere, and read at each scrape. */
export const addTotal = (registers: Registry[], name: string, help: string, total: () => number) =>
  new Counter({
    ...{ name, help, registers },
    collect() {
      this.reset();
      this.inc(total());
    },
  });
