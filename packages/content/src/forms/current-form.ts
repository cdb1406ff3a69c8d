import type { Form } from '@pillion/forms/form.ts';
import { noteUntil } from '../cache/reads.ts';
import { formAt } from './forms.ts';

/** A form as it is now. A page that shows it is good until it opens or closes. */
export function currentForm(form: Form | null): Form | null {
  if (!form) return null;
  const now = Date.now();
  const { opens, closes } = form.schedule ?? { opens: null, closes: null };
  if (opens !== null && now < opens) noteUntil(opens);
  // To the very millisecond it is still open (`formAt`).
  else if (closes !== null && now <= closes) noteUntil(closes + 1);
  return formAt(form, now);
}
