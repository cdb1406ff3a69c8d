import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nameOfReason } from '@pillion/sign-ups/backends/backend.ts';
import {
  createDestination,
  type DestinationOptions,
  isOfField,
  REMEDIES,
} from '@pillion/sign-ups/destination/destination.ts';
import type { ListedDestination } from '@pillion/sign-ups/destination/destinations.ts';
import { openStoreForCommands } from '@pillion/sign-ups/store/open-store.ts';
import { FILE } from '@pillion/sign-ups/store/sqlite-store.ts';
import type { Queue } from '@pillion/sign-ups/store/store.ts';
import { knownDestinations } from '../wiring/sign-ups.ts';
import { broken, type Finding, joinNames, ok, skipped, warning } from './finding.ts';
import { findShownForms } from './forms.ts';
import type { Check, Probe } from './probe.ts';

/** A sign-up that waits longer than this is a problem, in milliseconds. */
const LATE_MS = 600_000;

/** The rest of the address may contain a secret. */
const originOf = ({ url }: DestinationOptions) => new URL(url).origin;

/** Reads what waits in the store, and sends nothing. */
async function checkDestinations({ config }: Pick<Probe, 'config'>): Promise<Finding[]> {
  const known = knownDestinations(config);
  if (known.length === 0) return [];
  // A command must not create the file, which the user of the server would then not own.
  if (config.databaseUrl === null && !existsSync(join(config.dataDirectory, FILE)))
    return [skipped('No sign-up is stored yet.')];
  const store = openStoreForCommands(config);
  try {
    return await Promise.all(known.map((destination) => checkQueue(destination, store.copiesFor(destination.id))));
  } finally {
    await store.close();
  }
}

async function checkQueue(destination: ListedDestination, copies: Queue): Promise<Finding> {
  const { counts, oldestAt, lastDeliveredAt } = await copies.stats();
  const dead = (await copies.troubles()).filter(({ state }) => state === 'dead');
  const refused = dead.reduce((sum, { count }) => sum + count, 0);
  const waiting = counts.waiting + counts.leased;
  const last = lastDeliveredAt === null ? 'none was sent yet' : `last sent ${new Date(lastDeliveredAt).toISOString()}`;
  const says = `${originOf(destination)}: ${waiting} wait, ${refused} were refused, ${last}.`;
  const isLate = destination.isEnabled && oldestAt !== null && Date.now() - oldestAt > LATE_MS;
  return isLate || refused > 0 ? warning(says, 'Run npm run sign-ups -- reasons to see why.') : ok(says);
}

/**
 * Names the fields of `DESTINATION_FIELDS` that neither the form set in the texts nor a form on the front page has. A
 * list of fields per form is not checked.
 */
async function checkDestinationFields(probe: Probe): Promise<Finding[]> {
  const fields = probe.config.destination?.fields ?? [];
  if (!Array.isArray(fields) || fields.length === 0) return [];
  const inputNames: string[] = [];
  for (const { id } of await findShownForms(probe)) {
    const form = await probe.source.form(id, probe.lang, probe.readOptions);
    if (!form.ok) return [skipped('A form cannot be read.')];
    inputNames.push(...form.data.fields.flatMap(({ inputs }) => inputs.map(({ name }) => name)));
  }
  const missing = fields.filter((field) => !inputNames.some((name) => isOfField(field, name)));
  if (missing.length === 0) return [ok(`The forms have all ${fields.length} fields for the destination.`)];
  return [
    warning(
      `Neither the form set in the texts nor a form on the front page has the field ${joinNames(missing)}, which DESTINATION_FIELDS names.`,
      'Correct DESTINATION_FIELDS, unless a form on another page has the field.',
    ),
  ];
}

/** Sends each destination a signed test message. */
const pingAll = ({ config }: Pick<Probe, 'config'>): Promise<Finding[]> =>
  Promise.all(
    knownDestinations(config)
      .filter(({ isEnabled }) => isEnabled)
      .map(pingDestination),
  );

async function pingDestination(destination: ListedDestination): Promise<Finding> {
  const place = originOf(destination);
  const { ping, interpret, close } = createDestination(destination);
  const startedAt = performance.now();
  try {
    const verdict = interpret(await ping(), { signUpId: '', formId: 0, createdAt: 0, answers: {} }, Date.now());
    if (verdict.kind === 'delivered')
      return ok(`${place} accepted a signed test message in ${Math.round(performance.now() - startedAt)} ms.`);
    const { reason } = verdict;
    return broken(
      `${place} did not accept a signed test message (${reason}).`,
      REMEDIES[nameOfReason(reason)] ??
        'Check its address, and that the receiver runs. Sign-ups wait and are not lost.',
    );
  } finally {
    close();
  }
}

export const DESTINATION: Check = { group: 'Site', name: 'destination', run: checkDestinations };
export const DESTINATION_FIELDS: Check = { group: 'Forms', name: 'destination', run: checkDestinationFields };
export const PING: Check = { group: 'Trial', name: 'destination', run: pingAll };
