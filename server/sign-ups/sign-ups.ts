import { randomUUID } from 'node:crypto';
import type { Answers, Form, FormField, Strings } from '../../app/content/types.ts';
import { problemWithFiles, problemWithTotal, refusedFile } from '../../app/sections/sign-up/files.ts';
import { hiddenFields } from '../../app/sections/sign-up/logic.ts';
import { problemWith, readAnswers } from '../../app/sections/sign-up/rules.ts';
import { plainText } from '../content/plain-text.ts';
import { createTurns } from '../content/turns.ts';
import type { Log } from '../log.ts';
import { type Guards, signUpIdIn, textIn } from './guards/guards.ts';
import type { SignUpMetrics } from './metrics.ts';
import type { Outbox, TakenSignUp } from './outbox.ts';
import type { KeptFile } from './parcel.ts';
import { isSafe, typeOf } from './uploads/kinds.ts';
import type { SentFile } from './uploads/read-upload.ts';

export type SignUpResult =
  | { kind: 'stored'; form: Form }
  | { kind: 'invalid'; form: Form; errors: Record<string, string>; values: Answers }
  /** It could not be kept: the visitor is told so and never thanked. */
  | { kind: 'failed'; form: Form; values: Answers };

export interface SignUpOptions {
  outbox: Outbox;
  guards: Guards;
  /** Called when there is something new to deliver. */
  onStored: () => void;
  metrics: SignUpMetrics;
  log: Log;
}

/** Sign-ups with files in memory at once, each several times over while it is sealed: the others wait on the disk. */
const OPEN_AT_ONCE = 1;

/** Checks a sign-up against the form's own definition, keeps it, and only then calls it stored (R30). */
export function createSignUps({ outbox, guards, onStored, metrics, log }: SignUpOptions) {
  const turns = createTurns(OPEN_AT_ONCE);

  async function keep(signUp: TakenSignUp): Promise<void> {
    const { signUpId: sign_up_id, formId: form_id, suspected, files = [] } = signUp;
    const what = await outbox.keep(signUp);
    if (what !== 'added') {
      metrics.repeated();
      // The first answers stay: those were thanked for.
      return log('info', 'sign-up repeated', { sign_up_id, form_id, changed: what === 'changed' });
    }
    if (suspected !== null) {
      metrics.setAside();
      return log('warn', 'sign-up set aside', { sign_up_id, form_id, suspected });
    }
    metrics.accepted();
    log('info', 'sign-up stored', { sign_up_id, form_id, ...(files.length > 0 && { files: files.length }) });
    onStored();
  }

  return {
    metrics,
    challenge: guards.challenge,
    /** @returns Milliseconds until somebody of this network may send again; 0: this is taken. */
    waitOf: guards.waitOf,
    isFlood: guards.isFlood,
    /** Whether a sign-up could be kept now: the store takes the lock it needs to write, whatever it is asked. */
    ready: () =>
      outbox.store.get('').then(
        () => true,
        () => false,
      ),
    /** Prometheus' text format. */
    metricsText: async () => metrics.render(await statsOrNull(outbox), Date.now()),
    /** @param sentFiles What lies in `sent` by name only. */
    async accept(form: Form, sent: FormData, strings: Strings, sentFiles: SentFile[] = []): Promise<SignUpResult> {
      const values = readAnswers(form, sent);
      const suspected = guards.suspicionOf(form, sent);
      // What no person sees, no person filled in: whatever else is in it says nothing.
      const asked = askedIn(form, values);
      const errors = suspected === 'honeypot' ? {} : validate(asked, values, sentFiles, strings);
      if (Object.keys(errors).length > 0) {
        metrics.refused('invalid');
        return { kind: 'invalid', form, errors, values };
      }
      // The browser makes the id so that a repeat is recognised; without script there is none yet.
      const signUpId = signUpIdIn(sent) ?? randomUUID();
      try {
        const answers = answersTo(asked, values);
        const consentText = consentIn(asked, answers);
        const taken = { signUpId, formId: form.id, answers, consentText, suspected };
        if (sentFiles.length === 0) await keep(taken);
        else await turns.take(async () => keep({ ...taken, files: await filesFor(asked, sentFiles, strings) }));
        return { kind: 'stored', form };
      } catch (error) {
        metrics.refused('not-stored');
        log('error', 'sign-up not stored', { sign_up_id: signUpId, form_id: form.id, error });
        return { kind: 'failed', form, values };
      }
    },
  };
}

export type SignUps = ReturnType<typeof createSignUps>;

const statsOrNull = ({ store }: Outbox) => store.stats().catch(() => null);

/** The page's form names itself; one that does not is the site's own, `null`. */
export function formIdOf(sent: FormData): number | null {
  const id = textIn(sent, 'form_id');
  return id === '' ? null : Number(id);
}

/** Fields that these answers leave to be asked; without script a visitor saw the others too, and may have filled them in. */
function askedIn({ fields }: Form, values: Answers): FormField[] {
  const hidden = hiddenFields(fields, values);
  return fields.filter(({ id }) => !hidden.has(id));
}

/** Files are kept beside the answers, and not by their names among them. */
function answersTo(fields: FormField[], values: Answers): Answers {
  const names = fields.flatMap(({ inputs, upload }) => (upload ? [] : inputs.map(({ name }) => name)));
  return Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name] ?? '']] : [])));
}

const filesOf = ({ inputs, upload }: FormField, files: SentFile[]) =>
  upload ? files.filter(({ input }) => input === inputs[0]?.name) : [];

function problemWithSent(field: FormField, files: SentFile[], texts: Strings['form']): string | null {
  const own = filesOf(field, files);
  const problem = problemWithFiles(field, own, texts);
  const { upload, errorMessage } = field;
  if (problem !== null || upload === null) return problem;
  const unsafe = own.find(({ name, head }) => !isSafe(upload, name, head));
  return unsafe ? errorMessage || refusedFile(upload, unsafe, texts) : null;
}

/** @returns What is wrong, by the name of each field's first control; empty when nothing is. */
function validate(fields: FormField[], answers: Answers, files: SentFile[], { form }: Strings): Record<string, string> {
  const asked = fields.flatMap((field) => filesOf(field, files));
  const problems = fields.flatMap((field) => {
    const total = field.upload && filesOf(field, files).length > 0 ? problemWithTotal(asked, form) : null;
    const problem = problemWith(field, answers, form) ?? problemWithSent(field, files, form) ?? total;
    const [first] = field.inputs;
    return problem && first ? [[first.name, problem] as const] : [];
  });
  return Object.fromEntries(problems);
}

/** Reads what was sent in the fields that were asked. Of what was set aside as no visitor's, only what a visitor could have sent. */
async function filesFor(fields: FormField[], sent: SentFile[], { form }: Strings): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  for (const field of fields) {
    if (problemWithSent(field, sent, form) !== null) continue;
    for (const { input, name, read } of filesOf(field, sent)) {
      const several = (field.upload?.maxFiles ?? 1) > 1;
      files.push({ input: several ? `${input}[]` : input, name, type: typeOf(name), bytes: await read() });
    }
  }
  return files;
}

/** What the ticked consent boxes said, as the visitor read it. */
function consentIn(fields: FormField[], answers: Answers): string | null {
  const given = fields.filter(({ consentHtml, inputs }) => consentHtml !== null && answers[inputs[0]?.name ?? '']);
  return given.length > 0 ? given.map(({ consentHtml }) => plainText(consentHtml ?? '')).join('\n') : null;
}
