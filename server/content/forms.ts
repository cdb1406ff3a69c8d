import type { Form, FormField, FormStep } from '../../app/content/types.ts';
import { fieldOf, inputName, unsupported } from './form-fields.ts';
import { fieldSchema, type WireField, type WireForm } from './form-schemas.ts';
import { plainText } from './plain-text.ts';
import type { Warn } from './result.ts';
import type { Rewriter } from './rewrite.ts';
import { richText } from './rich-text.ts';

/** What a visitor is told or where she is taken; a page confirmation has its address in `url` too. */
function confirmationOf(form: WireForm, rewriter: Rewriter, warn: Warn): Form['confirmation'] {
  const all = Object.values(form.confirmations ?? {});
  const chosen = all.find((confirmation) => confirmation.isDefault) ?? all[0];
  const url = chosen && chosen.type !== 'message' ? rewriter.link(chosen.url) : null;
  if (url !== null) return { type: 'redirect', url };
  return { type: 'message', html: richText(chosen?.message ?? '', rewriter, warn) };
}

/** A page break names the buttons of the page that it ends; those of the last page are the form's. */
function stepsOf({ pagination, lastPageButton }: WireForm, breaks: WireField[]): FormStep[] {
  if (breaks.length === 0) return [];
  const buttons = [...breaks, { nextButton: null, previousButton: lastPageButton }];
  return buttons.map(({ nextButton, previousButton }, page) => ({
    name: plainText(pagination?.pages?.[page] ?? ''),
    next: plainText(nextButton?.text || 'Next'),
    previous: plainText(previousButton?.text || 'Previous'),
  }));
}

/** Turns Gravity Forms' definition into what the page renders (R30). Fields that cannot be read or shown are dropped. */
export function formOf(wire: WireForm, rewriter: Rewriter, warn: Warn): Form {
  const fields: FormField[] = [];
  const breaks: WireField[] = [];
  let highestId = 0;
  for (const [index, item] of wire.fields.entries()) {
    const read = fieldSchema.safeParse(item);
    if (!read.success) {
      const [issue] = read.error.issues;
      warn('content.field-dropped', { form: wire.id, field: `fields.${index}.${issue?.path.join('.')}` });
      continue;
    }
    highestId = Math.max(highestId, read.data.id);
    const reason = unsupported(read.data);
    const field = reason === null ? fieldOf(read.data, rewriter, warn) : null;
    if (reason !== null) warn('content.field-unknown', { form: wire.id, field: read.data.id, type: reason });
    if (field) fields.push(field);
    if (field?.type === 'page') breaks.push(read.data);
  }
  return {
    id: wire.id,
    title: plainText(wire.title),
    description: plainText(wire.description),
    submit: plainText(wire.button?.text ?? ''),
    fields,
    steps: stepsOf(wire, breaks),
    // Gravity Forms numbers its trap after the last field.
    honeypot: wire.enableHoneypot ? inputName(highestId + 1) : null,
    confirmation: confirmationOf(wire, rewriter, warn),
  };
}
