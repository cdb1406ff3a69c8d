import type { Config } from '../config.ts';
import { createClient } from '../content/client.ts';
import type { Log } from '../log.ts';
import { ofNoRequest } from '../request-id.ts';
import { createCipher } from './cipher.ts';
import { createDelivery } from './delivery/delivery.ts';
import { createSend } from './delivery/send.ts';
import { createGuards } from './guards/guards.ts';
import { createSignUpMetrics } from './metrics.ts';
import { createOutbox } from './outbox.ts';
import { startRetention } from './retention.ts';
import { createSignUps } from './sign-ups.ts';
import type { SignUpStore } from './store/store.ts';

interface Options {
  config: Config;
  /** The environment's, or the one kept in the data folder. */
  secretKey: string;
  store: SignUpStore;
  log: Log;
}

/**
 * Everything about sign-ups as a server or a worker of its own runs it: store, delivery, retention. With bundled content
 * there is nowhere to deliver to: they wait in the store.
 */
export function createDesk({ config, secretKey, store, log }: Options) {
  const metrics = createSignUpMetrics();
  const outbox = createOutbox(store, createCipher(secretKey));
  const { content } = config;
  const client = content.source === 'wordpress' ? createClient({ ...content, baseUrl: content.url }) : null;
  const delivery = client && createDelivery({ outbox, send: createSend(client, outbox), log, metrics });

  return {
    signUps: createSignUps({
      outbox,
      guards: createGuards({ secretKey }),
      // What is delivered then may be of anybody.
      onStored: () => ofNoRequest(() => delivery?.wake()),
      metrics,
      log,
    }),
    /** @returns Its undo: takes up nothing more, finishes what is under way, at the latest after `withinMs`. */
    start() {
      delivery?.start();
      const stopRetention = delivery ? startRetention(store, config.signUpsKeepDays, log) : () => {};
      return async (withinMs: number): Promise<void> => {
        stopRetention();
        await delivery?.stop(withinMs);
        client?.close();
      };
    },
  };
}
