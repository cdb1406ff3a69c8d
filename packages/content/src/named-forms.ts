import type { Form } from '@pillion/forms/form.ts';
import { LRUCache } from 'lru-cache';
import { currentForm } from './forms/current-form.ts';
import type { ShownForms } from './shown-forms.ts';
import type { Fallback } from './sources/fallback.ts';
import { createTokenBucket } from './token-bucket.ts';
import type { Budget } from './wordpress/budget.ts';

/** A form whose number a visitor sent. */
export interface NamedForm {
  /** Whether a page shows the form; `null` if unknown. */
  isShown: boolean | null;
  form: Form | null;
}

/**
 * Rate limit of requests for forms that may be on no page, since visitors can send any number: different numbers per
 * second, and at once after a pause. Repeated sign-ups to one form count once.
 */
const UNKNOWN_FORMS_PER_SECOND = 4;
const UNKNOWN_FORMS_AT_ONCE = 8;
/** How long an allowed number stays allowed, in milliseconds, and how many numbers are remembered. */
const UNKNOWN_FORMS_MS = 5_000;
const UNKNOWN_FORMS_KEPT = 100;

export const isFormId = (id: number) => Number.isSafeInteger(id) && id > 0;

/**
 * Forms whose number visitors send: `formToSend` and `shownForm` of the content.
 * @param budget Creates the budget of a page, up to which each call waits.
 */
export function createNamedForms(held: Fallback, shownForms: ShownForms, budget: () => Budget) {
  const unknownForms = createTokenBucket(UNKNOWN_FORMS_PER_SECOND, UNKNOWN_FORMS_AT_ONCE);
  /** Allowed numbers. The store requests each form once, regardless of the number of visitors. */
  const letIn = new LRUCache<number, true>({ max: UNKNOWN_FORMS_KEPT, ttl: UNKNOWN_FORMS_MS });

  async function formToSend(id: number | null, lang: string): Promise<NamedForm> {
    const left = budget();
    if (id === null) {
      const own = (await held.strings(lang, left)).form.form_id;
      return { isShown: true, form: currentForm(await held.form(own, lang, left)) };
    }
    const known = isFormId(id) && (await shownForms.isShown(id, 0));
    if (known === false) return { isShown: false, form: null };
    // No request was sent yet, so the visitor's whole budget is left.
    if (known) return { isShown: true, form: currentForm(await held.form(id, lang, budget())) };
    // Pages are searched first. The form is requested only if they give no result within half the time.
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

  async function shownForm(id: number, lang: string): Promise<NamedForm> {
    const left = budget();
    const isShown = isFormId(id) && (await shownForms.isShown(id, left.left() / 2));
    return { isShown, form: isShown ? currentForm(await held.form(id, lang, left)) : null };
  }

  return { formToSend, shownForm };
}
