import type { Log } from '@pillion/lib/log.ts';
import { Delivery } from '../delivery/delivery.ts';
import type { SignUpMetrics } from '../metrics.ts';
import type { CopiesOf, Outbox } from '../outbox/outbox.ts';
import { createDestination, type Destination, type DestinationOptions } from './destination.ts';

/** Id and name of the destination that the environment configures. */
export const ENVIRONMENT = 'environment';

export interface ListedDestination extends DestinationOptions {
  /** Its copies are stored under this id. */
  id: string;
  /** For the log, the metrics and the operator. */
  name: string;
  /** `false`: it gets no new copies, and those that wait stay in the store. */
  isEnabled: boolean;
}

interface Running {
  listed: ListedDestination;
  destination: Destination;
  /** `null` before `start`. */
  delivery: Delivery | null;
}

/** Longest wait for the current attempts of a destination that changed, in milliseconds. A lease is longer. */
const CHANGE_WITHIN_MS = 15_000;

/** Each destination has its own delivery, so that none waits for another. The list may change while they run. */
export class Destinations {
  readonly #log: Log;
  readonly #metrics: SignUpMetrics['ofDestination'];
  #listed: readonly ListedDestination[] = [];
  /** By id. */
  readonly #running = new Map<string, Running>();
  /** Deliveries of earlier configurations that finish their attempts. */
  readonly #ending = new Set<Promise<void>>();
  /** `null` before `start` and after `stop`. */
  #outbox: Outbox | null = null;

  constructor(log: Log, metrics: SignUpMetrics['ofDestination']) {
    this.#log = log;
    this.#metrics = metrics;
  }

  get listed(): readonly ListedDestination[] {
    return this.#listed;
  }

  /** The parts of a sign-up that the destinations get. */
  copiesOf: CopiesOf = (signUp) =>
    [...this.#running].flatMap(([destination, running]) => {
      const copy = running.destination.copyOf(signUp);
      return copy ? [{ destination, ...copy }] : [];
    });

  /** Replaces the list. Destinations that did not change continue. */
  set(listed: readonly ListedDestination[]): void {
    this.#listed = listed;
    const wanted = new Map(listed.filter(({ isEnabled }) => isEnabled).map((one) => [one.id, one]));
    for (const [id, running] of this.#running) {
      if (JSON.stringify(wanted.get(id)) === JSON.stringify(running.listed)) wanted.delete(id);
      else this.#end(id, running);
    }
    for (const [id, one] of wanted) {
      const running: Running = { listed: one, destination: createDestination(one), delivery: null };
      this.#running.set(id, running);
      this.#startDelivery(running);
    }
  }

  start(outbox: Outbox): void {
    this.#outbox = outbox;
    for (const running of this.#running.values()) this.#startDelivery(running);
  }

  /** Call it after adding a row to the store. */
  wake(): void {
    for (const { delivery } of this.#running.values()) delivery?.wake();
  }

  /** Finishes the current attempts, for at most `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.#outbox = null;
    for (const [id, running] of this.#running) this.#end(id, running, withinMs);
    await Promise.all(this.#ending);
  }

  /** Without effect before `start`. */
  #startDelivery(running: Running): void {
    const outbox = this.#outbox;
    if (!outbox || running.delivery) return;
    const { id, name } = running.listed;
    running.delivery = new Delivery({
      outbox: { ...outbox, store: outbox.store.copiesFor(id) },
      backend: running.destination,
      log: (level, event, details) => this.#log(level, event, { ...details, to: name }),
      metrics: this.#metrics(name),
    });
    running.delivery.start();
  }

  #end(id: string, { destination, delivery }: Running, withinMs = CHANGE_WITHIN_MS): void {
    this.#running.delete(id);
    const ending = Promise.resolve(delivery?.stop(withinMs)).finally(() => {
      destination.close();
      this.#ending.delete(ending);
    });
    this.#ending.add(ending);
  }
}
