import type { Form, FormClosed, FormSchedule } from '@pillion/forms/form.ts';
import { recordExpiry } from '../cache/reads.ts';
import { copyAfterSending } from './after-sending.ts';

/** A form in its current state. A page with it expires when the form opens or closes. */
export function currentForm(form: Form | null): Form | null {
  if (!form) return null;
  const now = Date.now();
  const { opens, closes } = form.schedule ?? { opens: null, closes: null };
  if (opens !== null && now < opens) recordExpiry(opens);
  // The form is still open at `closes` itself (`formAt`).
  else if (closes !== null && now <= closes) recordExpiry(closes + 1);
  return formAt(form, now);
}

/**
 * Returns the form with its state at a time, because the cached state may be outdated by its schedule.
 * @param now Epoch milliseconds.
 */
export function formAt(form: Form, now: number): Form {
  const { schedule, closed } = form;
  if (!schedule) return form;
  const isTimed = closed === null || closed.reason === 'pending' || closed.reason === 'expired';
  return copyAfterSending(form, { ...form, schedule: null, closed: isTimed ? closedAt(schedule, now) : closed });
}

function closedAt({ opens, closes, pendingHtml, expiredHtml }: FormSchedule, now: number): FormClosed | null {
  if (opens !== null && now < opens) return { reason: 'pending', html: pendingHtml };
  return closes !== null && now > closes ? { reason: 'expired', html: expiredHtml } : null;
}
