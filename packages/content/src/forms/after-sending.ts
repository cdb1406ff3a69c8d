import type { Form } from '@pillion/forms/form.ts';

/** Response to a stored sign-up: sanitized HTML or an address. Without HTML the site's text `form.thanks` is shown. */
export type Confirmation = { type: 'message'; html: string } | { type: 'redirect'; url: string };

/** Data of a form that only the server uses: no page contains the confirmation (decision 056). */
export interface AfterSending {
  confirmation: Confirmation;
  /** Only the backend can make the confirmation, so the server should wait for it. */
  dependsOnAnswers: boolean;
  /** Entries contain the visitor's IP address. */
  keepsAddress: boolean;
  /** Sanitizes a confirmation from the backend and rewrites its addresses. */
  read: (given: Confirmation) => Confirmation;
}

const afterSendingByForm = new WeakMap<Form, AfterSending>();

/** Stores the data separately from the form, which is sent to the browser. @returns The form. */
export function attachAfterSending(form: Form, after: AfterSending): Form {
  afterSendingByForm.set(form, after);
  return form;
}

/** Gives a copy of a form the same data. @returns The copy. */
export const copyAfterSending = (form: Form, copy: Form): Form => attachAfterSending(copy, afterSending(form));

/** Confirmation without a known form. */
export const GENERAL_THANKS: Confirmation = { type: 'message', html: '' };

export const afterSending = (form: Form): AfterSending =>
  afterSendingByForm.get(form) ?? {
    confirmation: GENERAL_THANKS,
    dependsOnAnswers: false,
    keepsAddress: false,
    read: () => GENERAL_THANKS,
  };
