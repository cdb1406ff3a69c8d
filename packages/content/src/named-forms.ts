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
const UNKNOWN_FORMS_BURST = 8;
/** How long an allowed number stays allowed, in milliseconds, and how many numbers are remembered. */
const ADMITTED_TTL_MS = 5_000;
const MAX_ADMITTED_IDS = 100;

const NOT_SHOWN: NamedForm = { isShown: false, form: null };

export const isFormId = (id: number) => Number.isSafeInteger(id) && id > 0;

/**
 * Forms whose number visitors send: `formToSend` and `shownForm` of the content.
 * @param createPageBudget Creates the budget of a page, up to which each call waits.
 */
export function createNamedForms(sources: Fallback, shownForms: ShownForms, createPageBudget: () => Budget) {
  const unknownFormLimit = createTokenBucket(UNKNOWN_FORMS_PER_SECOND, UNKNOWN_FORMS_BURST);
  /** Allowed numbers. The store requests each form once, regardless of the number of visitors. */
  const admittedIds = new LRUCache<number, true>({ max: MAX_ADMITTED_IDS, ttl: ADMITTED_TTL_MS });

  const readShownForm = async (id: number, lang: string, budget: Budget): Promise<NamedForm> => ({
    isShown: true,
    form: currentForm(await sources.form(id, lang, budget)),
  });

  async function formToSend(id: number | null, lang: string): Promise<NamedForm> {
    const budget = createPageBudget();
    if (id === null) return readShownForm((await sources.strings(lang, budget)).form.form_id, lang, budget);
    const isKnownShown = isFormId(id) && (await shownForms.isShown(id, 0));
    if (isKnownShown === false) return NOT_SHOWN;
    // No request was sent yet, so the visitor's whole budget is left.
    if (isKnownShown) return readShownForm(id, lang, createPageBudget());
    // Pages are searched first. The form is requested only if they give no result within half the time.
    const isShownSoon = await shownForms.isShown(id, budget.remainingMs() / 2);
    if (isShownSoon === false) return NOT_SHOWN;
    if (isShownSoon) return readShownForm(id, lang, budget);
    // In the other half the remaining pages and the form are read at the same time.
    const [isShown, form] = await Promise.all([
      shownForms.isShown(id, budget.remainingMs()),
      readUnknownForm(id, lang, budget),
    ]);
    if (isShown === false) return NOT_SHOWN;
    // The rate limit does not apply to a form that a page shows.
    return isShown && !form ? readShownForm(id, lang, budget) : { isShown, form: currentForm(form) };
  }

  /** Reads a form that may be on no page; `null` also if the rate limit is reached. */
  function readUnknownForm(id: number, lang: string, budget: Budget): Promise<Form | null> {
    if (!admittedIds.has(id)) {
      if (!unknownFormLimit.tryConsume()) return Promise.resolve(null);
      admittedIds.set(id, true);
    }
    return sources.form(id, lang, { ...budget, urgency: 'visitor' });
  }

  async function shownForm(id: number, lang: string): Promise<NamedForm> {
    const budget = createPageBudget();
    const isShown = isFormId(id) && (await shownForms.isShown(id, budget.remainingMs() / 2));
    return { isShown, form: isShown ? currentForm(await sources.form(id, lang, budget)) : null };
  }

  return { formToSend, shownForm };
}
