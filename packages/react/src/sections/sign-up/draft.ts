import { commonKind } from '@pillion/forms/common-kinds.ts';
import { namesOf } from '@pillion/forms/common-rules.ts';
import type { Form, FormField } from '@pillion/forms/form.ts';
import { stored } from '@pillion/lib/browser/visitor.ts';

/** Answers that are not sent yet, stored in the visitor's tab until it is closed. */
export interface Draft {
  /** Id of the sign-up, so that it stays the same after a reload. */
  id: string;
  /** Values by control name. */
  values: Record<string, string[]>;
}

const keyOf = ({ id }: Pick<Form, 'id'>) => `pillion-form-${id}`;

/** The form works without a draft: a missing or invalid one, and full or blocked storage, count as `null`. */
export const readDraft = (form: Pick<Form, 'id'>): Draft | null =>
  stored((storage) => {
    const { id, values } = JSON.parse(storage.getItem(keyOf(form)) ?? '') as Draft;
    return typeof id === 'string' && Object.values(values).every(Array.isArray) ? { id, values } : null;
  }, 'sessionStorage');

export const clearDraft = (form: Form) => stored((storage) => storage.removeItem(keyOf(form)), 'sessionStorage');

/** Files and some kinds of field, such as consent, are not stored. */
export const isStoredInDraft = ({ type, upload }: FormField) => !upload && !commonKind(type)?.isForgotten;

export function writeDraft(form: Form, id: string, sent: FormData): void {
  const names = form.fields.filter(isStoredInDraft).flatMap(namesOf);
  const valuesOf = (name: string) => [...sent.getAll(name), ...sent.getAll(`${name}[]`)] as string[];
  const values = Object.fromEntries(names.map((name) => [name, valuesOf(name)]));
  const draft = JSON.stringify({ id, values } satisfies Draft);
  stored((storage) => storage.setItem(keyOf(form), draft), 'sessionStorage');
}

/** Sets a control that the visitor has not changed. React sets hidden ones (`Hidden` in field.tsx). */
function fillControl(control: Element, values: string[]): void {
  const isInput = control instanceof HTMLInputElement;
  if (isInput && /^(?:radio|checkbox)$/.test(control.type)) {
    if (control.checked === control.defaultChecked) control.checked = values.includes(control.value);
  } else if (control instanceof HTMLSelectElement) {
    const options = [...control.options];
    const initialIndex = options.findIndex(({ defaultSelected }) => defaultSelected);
    const wantedIndex = options.findIndex(({ value }) => value === values[0]);
    if (wantedIndex >= 0 && control.selectedIndex === Math.max(0, initialIndex)) control.selectedIndex = wantedIndex;
  } else if ((isInput && control.type !== 'hidden') || control instanceof HTMLTextAreaElement) {
    if (control.value === control.defaultValue) control.value = values[0] ?? '';
  }
}

/**
 * Fills the form with the draft; controls without a draft from the page's query, if the editor allows it.
 * @param search The page's query.
 */
export function fillForm(element: HTMLFormElement, form: Form, draft: Draft | null, search: string): void {
  const controlsOf = (name: string) => [...element.elements].filter((control) => control.getAttribute('name') === name);
  const drafted = draft?.values ?? {};
  for (const [name, values] of Object.entries(drafted)) {
    for (const control of controlsOf(name)) fillControl(control, values);
    // Parts of one answer, such as the rows of a list.
    for (const [at, control] of controlsOf(`${name}[]`).entries()) fillControl(control, values.slice(at));
  }
  const query = new URLSearchParams(search);
  for (const { name, prefill } of form.fields.flatMap(({ inputs }) => inputs)) {
    const value = prefill === null ? null : query.get(prefill);
    if (value === null || drafted[name]) continue;
    // The whole value, because a text may contain commas, and its parts, because several boxes may be checked.
    for (const control of controlsOf(name)) fillControl(control, [value, ...value.split(',')]);
  }
}
