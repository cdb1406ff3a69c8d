import { randomUUID } from 'node:crypto';
import type { Answers, Form, FormField, FormInput } from '@pillion/forms/form.ts';
import { hiddenFields } from '@pillion/forms/logic.ts';
import { createGravityForms } from '@pillion/sign-ups/backends/gravity-forms/backend.ts';
import { z } from 'zod';
import { PING } from './destination.ts';
import { broken, type Finding, ok, skipped, warning } from './finding.ts';
import { findShownForms } from './forms.ts';
import type { Check, Probe } from './probe.ts';

/** Marks the submission: the plugin deletes its entry again (plugins/pillion/src/Forms/Gravity/TrialSignUp.php). */
const MARK = 'pillion_trial';

/** A domain reserved for examples (RFC 2606). */
const EMAIL = 'trial@example.org';

/** A test value for one control: its first choice, or a value that its kind of field accepts. */
function createAnswer({ type, min, choices }: FormField, input: FormInput): string {
  const [choice] = input.choices.length > 0 ? input.choices : choices;
  if (choice) return choice.value;
  const byType: Record<string, string> = {
    email: EMAIL,
    phone: '(201) 555-0123',
    website: 'https://example.org/',
    number: String(min ?? 1),
    date: '2026-01-01',
    time: '12:00',
    consent: '1',
  };
  return byType[type] ?? 'Trial';
}

/** Test values for the required fields. A form without any refuses an empty sign-up, so all its fields get one. */
function createAnswers({ fields }: Form): Answers {
  const isRequired = (field: FormField) => field.isRequired || field.inputs.some((input) => input.isRequired);
  const hasRequired = fields.some(isRequired);
  const answersOf = (field: FormField) => {
    if (field.upload || (hasRequired && !isRequired(field))) return [];
    const requiredInputs = field.inputs.filter((input) => input.isRequired);
    const inputs = requiredInputs.length === 0 ? field.inputs.slice(0, 1) : requiredInputs;
    return inputs.map((input) => [input.name, createAnswer(field, input)] as const);
  };
  // The answers decide which fields the form's conditions hide. Those get no answer.
  const hidden = hiddenFields(fields, Object.fromEntries(fields.flatMap(answersOf)));
  return Object.fromEntries(fields.filter(({ id }) => !hidden.has(id)).flatMap(answersOf));
}

const reportSchema = z.object({ [MARK]: z.object({ stored: z.boolean(), taken_back: z.boolean() }) });

/** Sends the sign-up as the delivery does. @returns The result, and what the plugin reports about the marked entry. */
async function sendTrial(probe: Probe, form: Form) {
  const backend = createGravityForms(probe.client);
  const answers = { ...createAnswers(form), [MARK]: '1' };
  const signUp = { signUpId: randomUUID(), formId: form.id, createdAt: Date.now(), answers };
  const startedAt = performance.now();
  const response = await backend.submit(signUp, new AbortController().signal);
  const report = response.ok ? reportSchema.safeParse(response.data.data).data?.[MARK] : undefined;
  return {
    verdict: backend.interpret(response, signUp, Date.now()),
    report,
    ms: Math.round(performance.now() - startedAt),
  };
}

/** @param id Of a field. */
const findLabel = ({ fields }: Form, id: string) =>
  fields.find((field) => String(field.id) === id)?.label ?? `field ${id}`;

/** Sends made-up answers to the first form that visitors see. The plugin deletes the entry again. */
async function checkTrial(probe: Probe): Promise<Finding> {
  if (probe.config.formWebhook) return skipped('Sign-ups go to FORM_WEBHOOK_URL and not to WordPress.');
  if (!(await probe.facts())) return skipped('The Pillion plugin does not answer.');
  const [shownForm] = await findShownForms(probe);
  const response = shownForm && (await probe.source.form(shownForm.id, probe.lang, probe.readOptions));
  if (!response?.ok) return skipped('No form can be read.');
  const form = response.data;
  if (form.fields.some(({ upload, isRequired }) => upload && isRequired))
    return skipped('The form requires a file, and the trial sends none.');
  const { verdict, report, ms } = await sendTrial(probe, form);
  if (report?.taken_back === false)
    return broken(
      'The trial sign-up was stored but could not be removed.',
      `In WordPress, delete the newest sign-up of form ${form.id}: its answers are made up.`,
    );
  if (verdict.kind === 'delivered' && report?.stored)
    return ok(`Form ${form.id} stored a trial sign-up, which was then removed, in ${ms} ms.`);
  if (verdict.kind === 'refused')
    return warning(
      `WordPress refused the made-up answers of the trial: ${verdict.fields.map((id) => findLabel(form, id)).join(', ')}.`,
      'If these fields require special values, nothing. Otherwise try the form on the site.',
    );
  return broken(
    `The trial sign-up was not accepted (${verdict.kind === 'failed' ? verdict.reason : 'no response of the plugin'}).`,
    'Visitors’ sign-ups wait and are not lost. Run npm run sign-ups -- list to see why.',
  );
}

export const TRIAL: Check[] = [{ group: 'Trial', name: 'sign-up', run: checkTrial }, PING];
