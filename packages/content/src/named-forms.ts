import type { Form } from '@pillion/forms/form.ts';
import { createTokenBucket } from '@pillion/lib/token-bucket.ts';
import { LRUCache } from 'lru-cache';
import { currentForm } from './forms/current-form.ts';
import type { ShownForms } from './shown-forms.ts';
import type { Fallback } from './sources/fallback.ts';
import type { Budget } from './wordpress/budget.ts';

/** A form that a visitor named by its number. */
export interface NamedForm {
  /** Whether a page shows the form; `null` where that is not known now. */
  isShown: boolean | null;
  form: Form | null;
}

/** Forms that visitors name. Each call waits as long as a page does at most. */
export interface NamedForms {
  /**
   * A form that a sign-up names. While it is not known whether a page shows the form, WordPress is still asked for a few
   * such forms, so that no sign-up is lost because its page was not read yet.
   * @param id Its number; `null` for the site's own form (R18).
   */
  toSend: (id: number | null, lang: string) => Promise<NamedForm>;
  /** A form that somebody only looks at: WordPress is asked for it only where a page is known to show it. */
  shown: (id: number, lang: string) => Promise<NamedForm>;
}

/**
 * Visitors can name any form number. While it is not known whether a page shows a form, WordPress is asked for so many
 * different numbers a second, and so many at once after a quiet time. However many visitors send one form, it is one number.
 */
const UNKNOWN_FORMS_PER_SECOND = 4;
const UNKNOWN_FORMS_AT_ONCE = 8;
/** A number that was let through stays so for these milliseconds; so many numbers are remembered. */
const UNKNOWN_FORMS_MS = 5_000;
const UNKNOWN_FORMS_KEPT = 100;

export const isFormId = (id: number) => Number.isSafeInteger(id) && id > 0;

/** @param budget What a page may wait, from now on. */
export function createNamedForms(held: Fallback, shownForms: ShownForms, budget: () => Budget): NamedForms {
  const unknownForms = createTokenBucket(UNKNOWN_FORMS_PER_SECOND, UNKNOWN_FORMS_AT_ONCE);
  /** Numbers that were let through. The store asks for each once, however many visitors send it. */
  const letIn = new LRUCache<number, true>({ max: UNKNOWN_FORMS_KEPT, ttl: UNKNOWN_FORMS_MS });

  async function toSend(id: number | null, lang: string): Promise<NamedForm> {
    const left = budget();
    if (id === null) {
      const own = (await held.strings(lang, left)).form.form_id;
      return { isShown: true, form: currentForm(await held.form(own, lang, left)) };
    }
    const known = isFormId(id) && (await shownForms.isShown(id, 0));
    if (known === false) return { isShown: false, form: null };
    // Nothing has asked WordPress so far: the visitor's whole time is left.
    if (known) return { isShown: true, form: currentForm(await held.form(id, lang, budget())) };
    // First the pages say whether one shows the form. Only where they cannot within half the time, WordPress is asked for it.
    const soon = await shownForms.isShown(id, left.left() / 2);
    if (soon === false) return { isShown: false, form: null };
    if (soon) return { isShown: true, form: currentForm(await held.form(id, lang, left)) };
    const [isShown, form] = await Promise.all([shownForms.isShown(id, left.left()), unknownForm(id, lang, left)]);
    return {
      isShown,
      form: isShown === false ? null : currentForm(form ?? (isShown ? await held.form(id, lang, left) : null)),
    };
  }

  function unknownForm(id: number, lang: string, left: Budget): Promise<Form | null> {
    if (!letIn.has(id) && !unknownForms.take()) return Promise.resolve(null);
    if (!letIn.has(id)) letIn.set(id, true);
    return held.form(id, lang, { ...left, urgency: 'visitor' });
  }

  async function shown(id: number, lang: string): Promise<NamedForm> {
    const left = budget();
    const isShown = isFormId(id) && (await shownForms.isShown(id, left.left() / 2));
    return { isShown, form: isShown ? currentForm(await held.form(id, lang, left)) : null };
  }

  return { toSend, shown };
}
