import type { Form } from '@pillion/forms/form.ts';
import { noteUntil } from '../cache/reads.ts';
import { formAt } from './forms.ts';

/** A form in its current state. A page with it expires when the form opens or closes. */
export function currentForm(form: Form | null): Form | null {
  if (!form) return null;
  const now = Date.now();
  const { opens, closes } = form.schedule ?? { opens: null, closes: null };
  if (opens !== null && now < opens) noteUntil(opens);
  // The form is still open at `closes` itself (`formAt`).
  else if (closes !== null && now <= closes) noteUntil(closes + 1);
  return formAt(form, now);
}
