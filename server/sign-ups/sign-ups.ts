import { randomUUID } from 'node:crypto';
import type { Form, Strings } from '../../app/content/types.ts';
import type { Content } from '../content/content.ts';
import type { Log } from '../log.ts';
import { readAnswers, validate } from './answers.ts';
import type { Journal } from './journal.ts';

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

export type SignUpResult =
  | { kind: 'stored'; form: Form }
  | { kind: 'invalid'; form: Form; errors: Record<string, string>; values: Record<string, string> }
  /** It could not be kept: the visitor is told so and never thanked. */
  | { kind: 'failed'; form: Form; values: Record<string, string> };

export interface SignUpOptions {
  content: Content;
  /** Where sign-ups go while content is bundled and there is no WordPress to hand them to; `null`: to WordPress. */
  journal: Journal | null;
  /** Keeps what was set aside as probable spam: it is never dropped. */
  setAside: Journal;
  log: Log;
}

/** Checks a sign-up against the form's own definition, hands it on, and only then calls it stored (R30). */
export function createSignUps({ content, journal, setAside, log }: SignUpOptions) {
  const hand = async (
    form: Form,
    id: string,
    values: Record<string, string>,
  ): Promise<Record<string, string> | null> => {
    if (journal) {
      await journal.append({ sign_up_id: id, form_id: form.id, received: now(), suspected: null, values });
      return null;
    }
    const result = await content.submit(form.id, { ...values, sign_up_id: id });
    if (result.ok) return result.data.isValid ? null : byFirstControl(form, result.data.errors);
    throw new Error(`WordPress did not take the sign-up: ${result.error.kind}`);
  };

  return {
    /** Whether a sign-up could be kept now. */
    ready: () => (journal ?? setAside).ready(),
    async accept(form: Form, sent: FormData, strings: Strings): Promise<SignUpResult> {
      const values = readAnswers(form, sent);
      const id = idOf(sent);
      try {
        if (isTrapped(form, sent)) {
          await setAside.append({ sign_up_id: id, form_id: form.id, received: now(), suspected: 'honeypot', values });
          return { kind: 'stored', form };
        }
        const errors = validate(form, values, strings);
        if (Object.keys(errors).length > 0) return { kind: 'invalid', form, errors, values };
        const refused = await hand(form, id, values);
        return refused ? { kind: 'invalid', form, errors: refused, values } : { kind: 'stored', form };
      } catch (error) {
        log('error', 'sign-up not stored', { sign_up_id: id, form_id: form.id, error });
        return { kind: 'failed', form, values };
      }
    },
  };
}

const now = () => new Date().toISOString();

const text = (sent: FormData, name: string) => {
  const value = sent.get(name);
  return typeof value === 'string' ? value : '';
};

/** The page's form names itself; one that does not is the site's own, `null`. */
export function formIdOf(sent: FormData): number | null {
  const id = text(sent, 'form_id');
  return id === '' ? null : Number(id);
}

/** WordPress names what is wrong by field (`input_3`), the page by the field's first control (`input_3_1`). */
function byFirstControl({ fields }: Form, errors: Record<string, string>): Record<string, string> {
  const controlOf = (name: string) => fields.find(({ id }) => name === `input_${id}`)?.inputs[0]?.name ?? name;
  return Object.fromEntries(Object.entries(errors).map(([name, message]) => [controlOf(name), message]));
}

/** The browser makes the id so that a repeat is recognised; without script there is none yet. */
const idOf = (sent: FormData) =>
  UUID.test(text(sent, 'sign_up_id')) ? text(sent, 'sign_up_id').toLowerCase() : randomUUID();

const isTrapped = (form: Form, sent: FormData) => form.honeypot !== null && text(sent, form.honeypot) !== '';
