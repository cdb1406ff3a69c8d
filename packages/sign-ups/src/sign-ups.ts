import type { Check } from '@pillion/content/forms/form-check.ts';
import type { Strings } from '@pillion/content/types.ts';
import type { Answers, Form } from '@pillion/forms/form.ts';
import { readAnswers } from '@pillion/forms/rules.ts';
import { createLimit } from '@pillion/lib/limit.ts';
import type { Log } from '@pillion/lib/log.ts';
import { ofNoRequest } from '@pillion/lib/request-id.ts';
import type { Delivery } from './delivery/delivery.ts';
import { type Guards, signUpIdIn, textIn } from './guards/guards.ts';
import { answersTo, askedIn, consentIn, filesFor, refusalIn, wrongWith } from './judge-answers.ts';
import type { SignUpMetrics } from './metrics.ts';
import type { Confirmation, Origin, Outbox, TakenSignUp } from './outbox/outbox.ts';
import { createReadiness } from './readiness.ts';
import type { References } from './references.ts';
import { correctedId, createSignUpIds } from './sign-up-ids.ts';
import type { SignUpNumbers } from './sign-up-number.ts';
import { type Choice, retryAll, troublesOf } from './troubles.ts';
import type { SentFile } from './uploads/read-upload.ts';

export type SignUpResult =
  /**
   * `isSetAside`: as probable spam, so that WordPress will say nothing to it. `number`: which of all sign-ups it is; `null`:
   * not known.
   */
  | { kind: 'stored'; form: Form; signUpId: string; isSetAside: boolean; number: number | null }
  /** `message`: what is wrong with all of it, where no one answer is to blame. */
  | { kind: 'invalid'; form: Form; errors: Record<string, string>; values: Answers; message?: string }
  /** Valid, but sent from a preview, so not stored. `isOpened`: by a browser that has opened a preview. */
  | { kind: 'rehearsed'; form: Form; isOpened: boolean }
  /** It could not be kept: the visitor is told so and never thanked. */
  | { kind: 'failed'; form: Form; values: Answers };

export interface SignUpOptions {
  outbox: Outbox;
  guards: Guards;
  /** Asks WordPress what only it knows; `null`: there is none to ask. */
  check: Check | null;
  /** `null`: there is nowhere to deliver to. */
  delivery: Pick<Delivery, 'wake' | 'confirmationOf'> | null;
  references: References;
  numbers: SignUpNumbers;
  metrics: SignUpMetrics;
  log: Log;
}

/** What is known of a sign-up beside its form fields. */
export interface Sending {
  /** Whose it is, for the entry. */
  origin?: Origin;
  /** Files, of which the form fields have only the names. */
  sentFiles?: SentFile[];
  /** Network and browser of who sends without script, to know a second press by; `null`: a repeat is not looked for. */
  sender?: string | null;
}

/** Sign-ups with files in memory at once, each several times over while it is sealed: the others wait on the disk. */
const OPEN_AT_ONCE = 1;

/** Checks a sign-up against the form's own definition, keeps it, and only then calls it stored (R30). */
export class SignUps {
  readonly numbers: SignUpNumbers;
  readonly metrics: SignUpMetrics;
  /** Whether one could be kept now. */
  readonly ready: () => Promise<boolean>;
  readonly #options: SignUpOptions;
  readonly #ids = createSignUpIds();
  readonly #withFiles = createLimit(OPEN_AT_ONCE);

  constructor(options: SignUpOptions) {
    this.numbers = options.numbers;
    this.metrics = options.metrics;
    this.ready = createReadiness(options.outbox.store);
    this.#options = options;
  }

  challenge = (shownForMs: number) => this.#options.guards.challenge(shownForMs);

  /** @returns Milliseconds until somebody of this network may send again; 0: this is taken. */
  waitOf = (sent: FormData, network: string) => this.#options.guards.waitOf(sent, network);

  isFlood = (network: string) => this.#options.guards.isFlood(network);

  /** Judges what was sent, asks WordPress where only it knows, and keeps it. */
  async accept(
    form: Form,
    sent: FormData,
    strings: Strings,
    { origin, sentFiles = [], sender = null }: Sending = {},
  ): Promise<SignUpResult> {
    const { values, suspected, asked, refusal } = await this.#judge(form, sent, strings, sentFiles);
    if (refusal) {
      this.metrics.refused('invalid');
      return { kind: 'invalid', form, values, ...refusal };
    }
    const post = sender === null ? null : { sender, form: form.id, answers: values, sentFiles };
    const signUpId = signUpIdIn(sent) ?? this.#ids.idFor(post);
    try {
      const answers = answersTo(asked, values);
      const taken = {
        ...{ signUpId, formId: form.id, answers, suspected },
        consentText: consentIn(asked, answers),
        ...(origin && { origin }),
      };
      const isNew = await (sentFiles.length === 0
        ? this.#keep(taken)
        : this.#withFiles.run(async () => this.#keep({ ...taken, files: await filesFor(asked, sentFiles, strings) })));
      // One that was set aside is told a number too, for a while: it must not learn what is thought of it.
      const number = await this.numbers.numberOf(signUpId, isNew);
      return { kind: 'stored', form, signUpId, isSetAside: suspected !== null, number };
    } catch (error) {
      this.metrics.refused('not-stored');
      this.#options.log('error', 'sign-up not stored', { sign_up_id: signUpId, form_id: form.id, error });
      return { kind: 'failed', form, values };
    }
  }

  /** Answers what was sent from a preview as it would be answered, and keeps and counts nothing of it. */
  async rehearse(
    form: Form,
    sent: FormData,
    strings: Strings,
    { sentFiles, isOpened }: { sentFiles: SentFile[]; isOpened: boolean },
  ): Promise<SignUpResult> {
    const { values, refusal } = await this.#judge(form, sent, strings, sentFiles);
    return refusal ? { kind: 'invalid', form, values, ...refusal } : { kind: 'rehearsed', form, isOpened };
  }

  /**
   * What WordPress says to the visitor whose sign-up this is, as it came.
   * @param withinMs Longest wait for its first attempt. @returns `null`: nothing in time.
   */
  async confirmationOf(signUpId: string, withinMs: number): Promise<Confirmation | null> {
    // Asked for before it is looked for: what comes in between is not missed.
    const awaited = this.#options.delivery?.confirmationOf(signUpId, withinMs);
    return (await this.#keptConfirmation(signUpId)) ?? (await awaited) ?? null;
  }

  /** Names a sign-up in the address of the page that thanks for it. */
  referenceTo = (signUpId: string, formId: number) => this.#options.references.issue(signUpId, formId);

  /**
   * What WordPress has said by now to the visitor whose sign-up a reference names, as it came; `null`: nothing yet.
   * @returns `undefined` where it names no sign-up to this form.
   */
  async confirmationBy(reference: string, formId: number): Promise<Confirmation | null | undefined> {
    const signUpId = this.#options.references.read(reference, formId);
    return signUpId === null ? undefined : this.#keptConfirmation(signUpId);
  }

  /** What keeps sign-ups from WordPress. */
  troubles = () => troublesOf(this.#options.outbox.store);

  /** Sends those again that are dead for one reason. @returns How many. */
  async retry(choice: Choice): Promise<number> {
    const count = await retryAll(this.#options.outbox.store, choice, Date.now());
    if (count > 0) this.#wakeDelivery();
    return count;
  }

  /** Prometheus' text format. */
  async metricsText(): Promise<string> {
    const stats = await this.#options.outbox.store.stats().catch(() => null);
    return this.metrics.render(stats, Date.now());
  }

  /** Judges what was sent, and asks WordPress where only it knows. It keeps and counts nothing. */
  async #judge(form: Form, sent: FormData, strings: Strings, sentFiles: SentFile[]) {
    const { guards, check } = this.#options;
    const values = readAnswers(form, sent);
    const suspected = guards.suspicionOf(form, sent);
    const asked = askedIn(form, values);
    // What no person sees, no person filled in: whatever else is in it says nothing.
    const problem = suspected === 'honeypot' ? null : wrongWith(form, asked, values, sentFiles, strings);
    const checked = problem || suspected !== null ? null : ((await check?.(form, asked, values)) ?? null);
    return { values, suspected, asked, refusal: problem ?? refusalIn(checked, strings) };
  }

  /** @returns Whether it was not kept before. */
  async #keep(signUp: TakenSignUp): Promise<boolean> {
    const { outbox, log } = this.#options;
    const { signUpId: sign_up_id, formId: form_id, suspected, files = [] } = signUp;
    const what = await outbox.keep(signUp);
    if (what === 'changed' && (await this.#isCorrected(sign_up_id)))
      return this.#keep({ ...signUp, signUpId: correctedId(signUp) });
    if (what !== 'added') {
      this.metrics.repeated();
      // The first answers stay: those were thanked for.
      log('info', 'sign-up repeated', { sign_up_id, form_id, changed: what === 'changed' });
      return false;
    }
    if (suspected !== null) {
      this.metrics.setAside();
      log('warn', 'sign-up set aside', { sign_up_id, form_id, suspected });
      return true;
    }
    this.metrics.accepted();
    log('info', 'sign-up stored', { sign_up_id, form_id, ...(files.length > 0 && { files: files.length }) });
    this.#wakeDelivery();
    return true;
  }

  /** What WordPress refused was never taken: other answers under its id are a sign-up of their own. */
  async #isCorrected(signUpId: string): Promise<boolean> {
    const before = await this.#options.outbox.store.get(signUpId);
    return before?.state === 'dead' && before.erasedAt === null;
  }

  /** `null` too where it cannot be read now. */
  async #keptConfirmation(signUpId: string): Promise<Confirmation | null> {
    const { outbox } = this.#options;
    try {
      const kept = await outbox.store.get(signUpId);
      return kept?.state === 'delivered' ? (outbox.open(kept)?.confirmation ?? null) : null;
    } catch {
      return null;
    }
  }

  #wakeDelivery(): void {
    // What is delivered then may be of anybody.
    ofNoRequest(() => this.#options.delivery?.wake());
  }
}

/** The page's form names itself; one that does not is the site's own, `null`. */
export function formIdOf(sent: FormData): number | null {
  const id = textIn(sent, 'form_id');
  return id === '' ? null : Number(id);
}
