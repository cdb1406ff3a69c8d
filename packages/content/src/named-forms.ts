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

const NOT_SHOWN: NamedForm = { isShown: false, form: null };

export const isFormId = (id: number) => Number.isSafeInteger(id) && id > 0;

/**
 * Forms whose number visitors send: `formToSend` and `shownForm` of the content.
 * @param budget Creates the budget of a page, up to which each call waits.
 */
export function createNamedForms(held: Fallback, shownForms: ShownForms, budget: () => Budget) {
  const unknownForms = createTokenBucket(UNKNOWN_FORMS_PER_SECOND, UNKNOWN_FORMS_AT_ONCE);
  /** Allowed numbers. The store requests each form once, regardless of the number of visitors. */
  const letIn = new LRUCache<number, true>({ max: UNKNOWN_FORMS_KEPT, ttl: UNKNOWN_FORMS_MS });

  const shown = async (id: number, lang: string, left: Budget): Promise<NamedForm> => ({
    isShown: true,
    form: currentForm(await held.form(id, lang, left)),
  });

  async function formToSend(id: number | null, lang: string): Promise<NamedForm> {
    const left = budget();
    if (id === null) return shown((await held.strings(lang, left)).form.form_id, lang, left);
    const known = isFormId(id) && (await shownForms.isShown(id, 0));
    if (known === false) return NOT_SHOWN;
    // No request was sent yet, so the visitor's whole budget is left.
    if (known) return shown(id, lang, budget());
    // Pages are searched first. The form is requested only if they give no result within half the time.
    const soon = await shownForms.isShown(id, left.left() / 2);
    if (soon === false) return NOT_SHOWN;
    if (soon) return shown(id, lang, left);
    const [isShown, form] = await Promise.all([shownForms.isShown(id, left.left()), unknownForm(id, lang, left)]);
    if (isShown === false) return NOT_SHOWN;
    return isShown && !form ? shown(id, lang, left) : { isShown, form: currentForm(form) };
  }

  function unknownForm(id: number, lang: string, left: Budget): Promise<Form | null> {
    if (!letIn.has(id) && !unknownForms.tryConsume()) return Promise.resolve(null);
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
