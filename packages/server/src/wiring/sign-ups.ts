import { createClient } from '@pillion/content/wordpress/client.ts';
import type { Log } from '@pillion/lib/log.ts';
import type { FormBackend } from '@pillion/sign-ups/backends/backend.ts';
import { createGravityForms } from '@pillion/sign-ups/backends/gravity-forms/backend.ts';
import { createWebhookBackend } from '@pillion/sign-ups/backends/webhook.ts';
import { Delivery } from '@pillion/sign-ups/delivery/delivery.ts';
import { Destinations, ENVIRONMENT, type ListedDestination } from '@pillion/sign-ups/destination/destinations.ts';
import { followDestinations, readStoredDestinations } from '@pillion/sign-ups/destination/list.ts';
import { createGuards } from '@pillion/sign-ups/guards/guards.ts';
import { NOT_SHARED, type SharedAccounts } from '@pillion/sign-ups/guards/shared-accounts.ts';
import { createSignUpMetrics } from '@pillion/sign-ups/metrics.ts';
import { type Cipher, createCipher } from '@pillion/sign-ups/outbox/cipher.ts';
import { createOutbox } from '@pillion/sign-ups/outbox/outbox.ts';
import { createReferences } from '@pillion/sign-ups/references.ts';
import { startRetention } from '@pillion/sign-ups/retention.ts';
import { createSignUpNumbers, type SignUpNumberSlot } from '@pillion/sign-ups/sign-up-number.ts';
import { SignUps } from '@pillion/sign-ups/sign-ups.ts';
import type { SignUpStore } from '@pillion/sign-ups/store/store.ts';
import type { Config } from '../config/config.ts';
import { secretKeyFor } from '../config/environment.ts';

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

/** The destination of the environment, in a list of at most one. */
const environmentDestinations = ({ destination }: Config): ListedDestination[] =>
  destination ? [{ ...destination, id: ENVIRONMENT, name: ENVIRONMENT, isEnabled: true }] : [];

/**
 * The WordPress that has a list of destinations. `null`: only the environment's. With a form webhook WordPress gets no
 * sign-ups, so its administrators may not send them anywhere.
 */
const wordpressWithList = ({ content, formWebhook }: Config) =>
  content.source === 'wordpress' && !formWebhook ? { ...content, baseUrl: content.url } : null;

/** @param cipher Called only when there is a stored list. */
const listOptionsFor = ({ dataDirectory, destinationReach: reach }: Config, cipher: () => Cipher) => ({
  ...{ dataDirectory, cipher, reach },
});

/** All destinations that a command knows. It reads the last list of the server. */
export function knownDestinations(config: Config): ListedDestination[] {
  if (!wordpressWithList(config)) return environmentDestinations(config);
  const cipher = () => createCipher(secretKeyFor(config), config.previousSecretKeys);
  return [...environmentDestinations(config), ...readStoredDestinations(listOptionsFor(config, cipher))];
}

/** The sign-up service of a server or a separate worker: store, delivery, retention. */
export function createSignUpService({ config, secretKey, store, accounts = NOT_SHARED, signUpNumber, log }: Options) {
  const metrics = createSignUpMetrics();
  const cipher = createCipher(secretKey, config.previousSecretKeys);
  const destinations = new Destinations(log, metrics.ofDestination);
  const setListed = (listed: ListedDestination[]) => destinations.set([...environmentDestinations(config), ...listed]);
  const wordpress = wordpressWithList(config);
  const listOptions = listOptionsFor(config, () => cipher);
  setListed(wordpress ? readStoredDestinations(listOptions) : []);
  const outbox = createOutbox(store, cipher, Date.now, destinations.copiesOf);
  const numbers = createSignUpNumbers(store, secretKey, { slot: signUpNumber });
  const backend = backendFor(config);
  const delivery = backend && new Delivery({ outbox, backend, log, metrics });

  return {
    signUps: new SignUps({
      outbox,
      guards: createGuards({ secretKey, accounts }),
      check: backend?.check ?? null,
      smallerRoom: backend?.smallerRoom ?? null,
      delivery,
      destinations,
      references: createReferences(secretKey),
      numbers,
      metrics,
      log,
    }),
    /** @returns A function that stops the service. It finishes the current deliveries, for at most `withinMs`. */
    start() {
      delivery?.start();
      destinations.start(outbox);
      const client = wordpress && createClient(wordpress);
      const onRemoved = (ids: string[]) => store.removeCopies(ids, Date.now());
      const stopList = client && followDestinations({ ...listOptions, client, onList: setListed, onRemoved, log });
      // Starts the count before the first request.
      numbers.currentCount();
      const stopRetention = startRetention(store, config.signUpsKeepDays, log);
      return async (withinMs: number): Promise<void> => {
        stopRetention();
        await Promise.all([delivery?.stop(withinMs), destinations.stop(withinMs), stopList?.()]);
        client?.close();
        backend?.close();
      };
    },
  };
}
