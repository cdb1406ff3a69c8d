import { createClient } from '@pillion/content/wordpress/client.ts';
import type { Log } from '@pillion/lib/log.ts';
import type { FormBackend } from '@pillion/sign-ups/backends/backend.ts';
import { createGravityForms } from '@pillion/sign-ups/backends/gravity-forms/backend.ts';
import { createWebhookBackend } from '@pillion/sign-ups/backends/webhook.ts';
import { createDelivery } from '@pillion/sign-ups/delivery/delivery.ts';
import { createDestination } from '@pillion/sign-ups/destination/destination.ts';
import { createGuards } from '@pillion/sign-ups/guards/guards.ts';
import { NOT_SHARED, type SharedAccounts } from '@pillion/sign-ups/guards/shared-accounts.ts';
import { createSignUpMetrics } from '@pillion/sign-ups/metrics.ts';
import { createCipher } from '@pillion/sign-ups/outbox/cipher.ts';
import { createOutbox } from '@pillion/sign-ups/outbox/outbox.ts';
import { createReferences } from '@pillion/sign-ups/references.ts';
import { startRetention } from '@pillion/sign-ups/retention.ts';
import { createSignUpNumbers, type SignUpNumberSlot } from '@pillion/sign-ups/sign-up-number.ts';
import { SignUps } from '@pillion/sign-ups/sign-ups.ts';
import type { SignUpStore } from '@pillion/sign-ups/store/store.ts';
import type { Config } from '../config/config.ts';

interface Options {
  config: Config;
  /** From the environment, or from the data folder. */
  secretKey: string;
  store: SignUpStore;
  /** Counts the requests of a network to all servers. Default: only this server. */
  accounts?: SharedAccounts;
  /** How the site shows the number of sign-ups. Default: not at all. */
  signUpNumber?: SignUpNumberSlot | undefined;
  log: Log;
}

/** @returns `null`: sign-ups stay in the store. */
function backendFor({ content, formWebhook }: Config): FormBackend | null {
  if (formWebhook) return createWebhookBackend(formWebhook);
  return content.source === 'wordpress' ? createGravityForms(createClient({ ...content, baseUrl: content.url })) : null;
}

/**
 * The sign-up service of a server or a separate worker: store, delivery, retention.
 */
export function createSignUpService({ config, secretKey, store, accounts = NOT_SHARED, signUpNumber, log }: Options) {
  const metrics = createSignUpMetrics();
  const destination = config.destination && createDestination(config.destination);
  const cipher = createCipher(secretKey, config.previousSecretKeys);
  const outbox = createOutbox(store, cipher, Date.now, destination?.copyOf);
  const numbers = createSignUpNumbers(store, secretKey, { slot: signUpNumber });
  const backend = backendFor(config);
  const delivery = backend && createDelivery({ outbox, backend, log, metrics });
  // Separate from the other delivery, so that neither delays the other.
  const sending =
    destination &&
    createDelivery({
      outbox: { ...outbox, store: store.copies },
      backend: destination,
      log: (level, event, details) => log(level, event, { ...details, to: 'destination' }),
      metrics: metrics.sent,
    });

  return {
    signUps: new SignUps({
      outbox,
      guards: createGuards({ secretKey, accounts }),
      check: backend?.check ?? null,
      smallerRoom: backend?.smallerRoom ?? null,
      delivery,
      destination: sending,
      references: createReferences(secretKey),
      numbers,
      metrics,
      log,
    }),
    /** @returns A function that stops the service. It finishes the current deliveries, for at most `withinMs`. */
    start() {
      delivery?.start();
      sending?.start();
      // Starts the count before the first request.
      numbers.known();
      const stopRetention = startRetention(store, config.signUpsKeepDays, log);
      return async (withinMs: number): Promise<void> => {
        stopRetention();
        await Promise.all([delivery?.stop(withinMs), sending?.stop(withinMs)]);
        backend?.close();
        destination?.close();
      };
    },
  };
}
