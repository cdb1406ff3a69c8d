import type { Confirmation } from '@pillion/content/forms/after-sending.ts';
import type { Strings } from '@pillion/content/types.ts';
import type { Answers, Form } from '@pillion/forms/form.ts';
import { readAnswers } from '@pillion/forms/rules.ts';
import type { Attribution } from '@pillion/lib/attribution.ts';
import type { Purpose } from '@pillion/lib/consent.ts';
import { createLimit } from '@pillion/lib/limit.ts';
import type { Log } from '@pillion/lib/log.ts';
import { withoutRequestId } from '@pillion/lib/request-id.ts';
import { withCampaign } from './attribution.ts';
import type { Check, SmallerRoom } from './backends/backend.ts';
import {
  answersToStore,
  consentTextOf,
  readFiles,
  refusalByBackend,
  refusalByForm,
  visibleFields,
} from './check-answers.ts';
import type { Delivery } from './delivery/delivery.ts';
import type { Destinations } from './destination/destinations.ts';
import { type Guards, signUpIdIn, textField } from './guards/guards.ts';
import type { SignUpMetrics } from './metrics.ts';
import type { AcceptedSignUp, Origin, Outbox } from './outbox/outbox.ts';
import { createReadiness } from './readiness.ts';
import type { References } from './references.ts';
import { correctedId, createSignUpIds } from './sign-up-ids.ts';
import type { SignUpNumbers } from './sign-up-number.ts';
import type { Queue, StoreStats } from './store/store.ts';
import { copyTroublesOf, retryWithReason, type TroubleFilter, troublesOf } from './troubles.ts';
import type { SentFile } from './uploads/read-upload.ts';

export type SignUpResult =
  /** `isSetAside`: probable spam, which is not delivered. `number`: its place among all sign-ups; `null`: unknown. */
  | { kind: 'stored'; form: Form; signUpId: string; isSetAside: boolean; number: number | null }
  /** `message`: an error of the whole form. */
  | { kind: 'invalid'; form: Form; errors: Record<string, string>; values: Answers; message?: string }
  /** Valid, but sent from a preview, so not stored. `isOpened`: by a browser that has opened a preview. */
  | { kind: 'rehearsed'; form: Form; isOpened: boolean }
  /** The store failed. The visitor sees an error and no confirmation. */
  | { kind: 'failed'; form: Form; values: Answers };

export interface SignUpOptions {
  outbox: Outbox;
  guards: Guards;
  /** The check of the backend; `null`: it checks nothing. */
  check: Check | null;
  /** The size check of the backend; `null`: it has no such check. */
  smallerRoom: SmallerRoom | null;
  /** `null`: no backend to deliver to. */
  delivery: Pick<Delivery, 'wake' | 'confirmationOf'> | null;
  /** Send the copies. */
  destinations: Pick<Destinations, 'wake' | 'listed'>;
  references: References;
  numbers: SignUpNumbers;
  metrics: SignUpMetrics;
  log: Log;
}

/** Details of a sign-up besides its form fields. */
export interface SubmissionDetails {
  origin: Origin;
  /** Of the page. */
  language: string;
  /** Purposes that the visitor agreed to. */
  consent: readonly Purpose[];
  /** The files; the form fields contain only their names. */
  sentFiles: SentFile[];
  /** Network and browser of a sender without script, to detect a second press; `null`: no detection. */
  sender: string | null;
  /** `null`: the visitor came without a campaign. */
  attribution: Attribution | null;
  /** Whether hidden fields may contain click ids. */
  keepsClickIds: boolean;
}

/** Sign-ups with files in memory at once. Sealing needs several copies of each, so the others wait on the disk. */
const WITH_FILES_CONCURRENCY = 1;

/** Validates a sign-up by its form's definition and stores it before it is confirmed (R30). */
export class SignUps {
  readonly numbers: SignUpNumbers;
  readonly metrics: SignUpMetrics;
  /** Whether the store can accept a sign-up. */
  readonly ready: () => Promise<boolean>;
  readonly smallerRoom: SmallerRoom;
  readonly #options: SignUpOptions;
  readonly #ids = createSignUpIds();
  readonly #filesLimit = createLimit(WITH_FILES_CONCURRENCY);

  constructor(options: SignUpOptions) {
    this.numbers = options.numbers;
    this.metrics = options.metrics;
    this.smallerRoom = options.smallerRoom ?? (async () => null);
    this.ready = createReadiness(options.outbox.store);
    this.#options = options;
  }

  challenge = (shownForMs: number) => this.#options.guards.challenge(shownForMs);

  /** Counts a post. @returns Milliseconds until this network may send again. 0: this post is accepted. */
  countPost = (sent: FormData, network: string) => this.#options.guards.countPost(sent, network);

  isFlood = (network: string) => this.#options.guards.isFlood(network);

  /** Validates what was sent, asks the backend if necessary, and stores it. */
  async accept(
    form: Form,
    sent: FormData,
    strings: Strings,
    { origin, language, consent, sentFiles, sender, attribution, keepsClickIds }: SubmissionDetails,
  ): Promise<SignUpResult> {
    const values = withCampaign(form, readAnswers(form, sent), attribution?.last ?? {}, keepsClickIds);
    const post = sender === null ? null : { sender, form: form.id, answers: values, sentFiles };
    const signUpId = signUpIdIn(sent) ?? this.#ids.idFor(post);
    const { suspected, visible, refusal, dependsOnEntries } = await this.#check(form, sent, strings, sentFiles, values);
    const answers = answersToStore(visible, values);
    const signUp: AcceptedSignUp = {
      ...{ signUpId, formId: form.id, answers, consent, suspected, origin, attribution, language },
      consentText: consentTextOf(visible, answers),
    };
    /** Reads the files only while `use` runs, because they are large. */
    const withFiles = <T>(use: (signUp: AcceptedSignUp) => Promise<T>): Promise<T> =>
      sentFiles.length === 0
        ? use(signUp)
        : this.#filesLimit.run(async () => use({ ...signUp, files: await readFiles(visible, sentFiles, strings) }));
    const idOfCorrection = () => withFiles(async (signUp) => correctedId(signUp));
    // The entry that caused the refusal may be that of the same sign-up.
    if (refusal && !(dependsOnEntries && (await this.#isStored(signUpId, idOfCorrection)))) {
      this.metrics.refused('invalid');
      return { kind: 'invalid', form, values, ...refusal };
    }
    try {
      const result = await withFiles((signUp) => this.#store(signUp));
      // A set-aside sign-up gets a number too, so that its sender cannot notice the suspicion.
      const number = await this.numbers.numberOf(signUpId, result.isNew);
      return { kind: 'stored', form, signUpId: result.signUpId, isSetAside: suspected !== null, number };
    } catch (error) {
      this.metrics.refused('not-stored');
      this.#options.log('error', 'sign-up not stored', { sign_up_id: signUpId, form_id: form.id, error });
      return { kind: 'failed', form, values };
    }
  }

  /**
   * Validates a sign-up sent from a preview, but stores and counts nothing.
   * @param isOpened Whether this browser has opened a preview: only then may it see the form's own confirmation.
   */
  async rehearse(
    form: Form,
    sent: FormData,
    strings: Strings,
    { sentFiles, isOpened }: { sentFiles: SentFile[]; isOpened: boolean },
  ): Promise<SignUpResult> {
    const { values, refusal } = await this.#check(form, sent, strings, sentFiles);
    return refusal ? { kind: 'invalid', form, values, ...refusal } : { kind: 'rehearsed', form, isOpened };
  }

  /**
   * The backend's confirmation of a sign-up, not sanitised.
   * @param withinMs Longest wait for the first attempt. @returns `null`: none in time.
   */
  async confirmationOf(signUpId: string, withinMs: number): Promise<Confirmation | null> {
    // The wait starts before the store is read, so that no confirmation in between is missed.
    const confirmation = this.#options.delivery?.confirmationOf(signUpId, withinMs);
    return (await this.#storedConfirmation(signUpId)) ?? (await confirmation) ?? null;
  }

  /** A reference to a sign-up, for the address of the confirmation page. */
  referenceTo = (signUpId: string, formId: number) => this.#options.references.issue(signUpId, formId);

  /**
   * The backend's confirmation of the sign-up that a reference names, not sanitised; `null`: not yet.
   * @returns `undefined` if the reference names no sign-up of this form.
   */
  async confirmationByReference(reference: string, formId: number): Promise<Confirmation | null | undefined> {
    const signUpId = this.#options.references.read(reference, formId);
    return signUpId === null ? undefined : this.#storedConfirmation(signUpId);
  }

  /** The reasons that keep sign-ups from the backend. */
  troubles = () => troublesOf(this.#options.outbox.store);

  /** Copies sent and waiting, and the problems, of each destination. */
  destinationStatus() {
    const { destinations, outbox } = this.#options;
    return Promise.all(
      destinations.listed.map(async ({ id, name, isEnabled }) => {
        const copies = outbox.store.copiesFor(id);
        const [{ counts, lastDeliveredAt }, troubles] = await Promise.all([copies.stats(), copyTroublesOf(copies)]);
        const waiting = counts.waiting + counts.leased;
        return { id, name, isEnabled, sent: counts.delivered, waiting, lastDeliveredAt, troubles };
      }),
    );
  }

  /**
   * Retries what is dead for one reason.
   * @param destination Id: its copies only. `null`: the sign-ups only.
   * @returns Their number.
   */
  async retry(choice: TroubleFilter, destination: string | null): Promise<number> {
    const { store } = this.#options.outbox;
    const queue = destination === null ? store : store.copiesFor(destination);
    const count = await retryWithReason(queue, choice, Date.now());
    if (count > 0) this.#wakeDelivery();
    return count;
  }

  async metricsText(): Promise<string> {
    const { outbox, destinations } = this.#options;
    const readStats = (queue: Queue) => queue.stats().catch(() => null);
    const stats = await readStats(outbox.store);
    const copies = new Map<string, StoreStats>();
    // Each query of a store that does not respond ends with a timeout: all of them could exceed Prometheus' own.
    for (const { id, name, isEnabled } of stats ? destinations.listed : []) {
      // The copies of one that is switched off wait by design: no alert may fire for them.
      const copyStats = isEnabled && (await readStats(outbox.store.copiesFor(id)));
      if (copyStats) copies.set(name, copyStats);
    }
    return this.metrics.render(stats, Date.now(), copies);
  }

  /**
   * Validates what was sent, and asks the backend if necessary. It stores and counts nothing.
   * @returns `dependsOnEntries`: the answers are valid or the form is closed, so a refusal can come from earlier
   *   entries.
   */
  async #check(form: Form, sent: FormData, strings: Strings, sentFiles: SentFile[], values = readAnswers(form, sent)) {
    const { guards, check } = this.#options;
    const suspected = guards.suspicionOf(form, sent);
    const visible = visibleFields(form, values);
    // Visitors cannot see the honeypot. If it is filled in, the other answers are not validated.
    const formRefusal = suspected === 'honeypot' ? null : refusalByForm(form, visible, values, sentFiles, strings);
    const needsCheck = formRefusal === null && suspected === null;
    const checked = check && needsCheck ? await check(form, visible, values) : null;
    const dependsOnEntries = formRefusal === null || form.closed !== null;
    return {
      values,
      suspected,
      visible,
      refusal: formRefusal ?? refusalByBackend(checked, strings),
      dependsOnEntries,
    };
  }

  /** @returns Whether it is new, and the id under which it is stored: a corrected sign-up has another one. */
  async #store(signUp: AcceptedSignUp): Promise<{ isNew: boolean; signUpId: string }> {
    const { outbox, log } = this.#options;
    const { signUpId: sign_up_id, formId: form_id, suspected, files = [] } = signUp;
    const outcome = await outbox.add(signUp);
    if (outcome === 'changed' && (await this.#isCorrected(sign_up_id)))
      return this.#store({ ...signUp, signUpId: correctedId(signUp) });
    if (outcome !== 'added') {
      this.metrics.repeated();
      // The first answers stay, because they were confirmed.
      log('info', 'sign-up repeated', { sign_up_id, form_id, changed: outcome === 'changed' });
      return { isNew: false, signUpId: sign_up_id };
    }
    if (suspected !== null) {
      this.metrics.setAside();
      log('warn', 'sign-up set aside', { sign_up_id, form_id, suspected });
      return { isNew: true, signUpId: sign_up_id };
    }
    this.metrics.accepted();
    log('info', 'sign-up stored', { sign_up_id, form_id, ...(files.length > 0 && { files: files.length }) });
    this.#wakeDelivery();
    return { isNew: true, signUpId: sign_up_id };
  }

  /** The backend refused the first answers under this id, so other answers under it are a new sign-up. */
  async #isCorrected(signUpId: string): Promise<boolean> {
    const stored = await this.#options.outbox.store.get(signUpId);
    return stored?.state === 'dead' && stored.erasedAt === null;
  }

  /**
   * Whether the sign-up or its correction is stored and the backend has not refused it. `false` also on errors.
   * @param idOfCorrection Computes the id under which a correction is stored.
   */
  async #isStored(signUpId: string, idOfCorrection: () => Promise<string>): Promise<boolean> {
    const { store } = this.#options.outbox;
    try {
      const first = await store.get(signUpId);
      const found = first?.state === 'dead' ? await store.get(await idOfCorrection()) : first;
      return found !== null && found.state !== 'dead';
    } catch {
      return false;
    }
  }

  /** `null` also if the store cannot be read. */
  async #storedConfirmation(signUpId: string): Promise<Confirmation | null> {
    const { outbox } = this.#options;
    try {
      const stored = await outbox.store.get(signUpId);
      return stored?.state === 'delivered' ? (outbox.open(stored)?.confirmation ?? null) : null;
    } catch {
      return null;
    }
  }

  #wakeDelivery(): void {
    // A delivery may concern any sign-up, so its log must not carry this request's id.
    withoutRequestId(() => {
      this.#options.delivery?.wake();
      this.#options.destinations.wake();
    });
  }
}

/** @returns The form's id in `form_id`; `null` for the site's own form. */
export function formIdOf(sent: FormData): number | null {
  const id = textField(sent, 'form_id');
  return id === '' ? null : Number(id);
}
