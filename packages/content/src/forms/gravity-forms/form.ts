import type { Form, FormClosed, FormField, FormSchedule, FormStep } from '@pillion/forms/form.ts';
import { KINDS } from '@pillion/forms/kinds.ts';
import { plainText } from '../../text/plain-text.ts';
import { richText } from '../../text/rich-text.ts';
import type { Warn } from '../../wordpress/result.ts';
import type { Rewriter } from '../../wordpress/rewrite.ts';
import { attachAfterSending } from '../after-sending.ts';
import { afterSendingOf } from './confirmations.ts';
import { fieldOf, inputName, logicOf, unsupported } from './fields.ts';
import { fieldSchema, type WireField, type WireForm } from './schemas.ts';

/** A page break has the buttons of the page before it; the form has those of the last page. */
function stepsOf({ pagination, lastPageButton }: WireForm, breaks: WireField[]): FormStep[] {
  if (breaks.length === 0) return [];
  const buttons = [...breaks, { nextButton: null, previousButton: lastPageButton }];
  return buttons.map(({ nextButton, previousButton }, page) => ({
    name: plainText(pagination?.pages?.[page] ?? ''),
    next: plainText(nextButton?.text || 'Next'),
    previous: plainText(previousButton?.text || 'Previous'),
  }));
}

/** Reasons that the plugin sends (`GravityDescription.php`). A newer plugin may send others. */
const REASONS: FormClosed['reason'][] = ['inactive', 'trash', 'full', 'pending', 'expired', 'login'];

function closedOf({ pillion }: WireForm, rewriter: Rewriter, warn: Warn): FormClosed | null {
  if (!pillion?.closed) return null;
  const { reason, message } = pillion.closed;
  return {
    reason: REASONS.find((known) => known === reason) ?? 'unknown',
    html: richText(message, rewriter, warn),
  };
}

function scheduleOf({ pillion }: WireForm, rewriter: Rewriter, warn: Warn): FormSchedule | null {
  if (!pillion?.schedule) return null;
  const { opens, closes, pending, expired } = pillion.schedule;
  return {
    opens: opens ? opens * 1000 : null,
    closes: closes ? closes * 1000 : null,
    pendingHtml: richText(pending, rewriter, warn),
    expiredHtml: richText(expired, rewriter, warn),
  };
}

/** A picture as button is replaced with its alternative text. Without text the site's default applies. */
const submitOf = ({ button }: WireForm): string =>
  plainText((button?.type === 'image' && button.imageAlt) || button?.text || '');

/** Converts Gravity Forms' definition for the page (R30). Leaves out fields that cannot be read or shown. */
export function formOf(wire: WireForm, rewriter: Rewriter, warnOfSite: Warn): Form {
  const warn: Warn = (event, details) => warnOfSite(event, { form: wire.id, ...details });
  const fields: FormField[] = [];
  const pageBreaks: WireField[] = [];
  let highestId = 0;
  for (const [index, item] of wire.fields.entries()) {
    const read = fieldSchema.safeParse(item);
    if (!read.success) {
      const [issue] = read.error.issues;
      warn('content.field-dropped', { field: `fields.${index}.${issue?.path.join('.')}` });
      continue;
    }
    highestId = Math.max(highestId, read.data.id);
    const unsupportedType = unsupported(read.data);
    if (unsupportedType !== null) warn('content.field-unknown', { field: read.data.id, type: unsupportedType });
    const field = fieldOf(read.data, wire.pillion ?? null, rewriter, warn);
    if (field) fields.push(field);
    if (field?.type === 'page') pageBreaks.push(read.data);
  }
  const form: Form = {
    id: wire.id,
    title: plainText(wire.title),
    description: plainText(wire.description),
    submit: submitOf(wire),
    closed: closedOf(wire, rewriter, warn),
    schedule: scheduleOf(wire, rewriter, warn),
    isLimited: wire.pillion?.asks ?? false,
    submitLogic: logicOf({ id: 0, conditionalLogic: wire.button?.conditionalLogic }, warn),
    fields,
    isStyledBySite: fields.every(({ type }) => KINDS[type].isStyledBySite),
    steps: stepsOf(wire, pageBreaks),
    // Gravity Forms numbers its honeypot one higher than the highest field id.
    honeypot: wire.enableHoneypot ? inputName(highestId + 1) : null,
  };
  return attachAfterSending(form, afterSendingOf(wire, rewriter, warn));
}
