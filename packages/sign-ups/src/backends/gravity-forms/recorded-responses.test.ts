import { afterSending } from '@pillion/content/forms/after-sending.ts';
import { formOf } from '@pillion/content/forms/gravity-forms/form.ts';
import { formSchema } from '@pillion/content/forms/gravity-forms/schemas.ts';
import type { Client } from '@pillion/content/wordpress/client.ts';
import { success } from '@pillion/content/wordpress/result.ts';
import { createRewriter } from '@pillion/content/wordpress/rewrite.ts';
import recorded from '@pillion/forms/testing/gravity-forms/answers.json';
import { expect, test } from 'vitest';
import { createGravityForms } from './backend.ts';

/** Responses of the real Gravity Forms, recorded by `npm run test:plugins`; the file contains version and date. */
const forms = Object.entries<{ status: number; body: unknown }>(recorded.forms);
const submissions: Record<string, { status: number; body: unknown }> = recorded.submissions;

test.each(forms)('R30: the form “%s” of Gravity Forms is read completely', (_name, { status, body }) => {
  expect(status).toBe(200);
  const warnings: string[] = [];
  const wire = formSchema.parse(body);
  const form = formOf(wire, createRewriter([]), (event) => void warnings.push(event));
  expect(warnings.filter((event) => event !== 'content.field-unknown')).toEqual([]);
  expect(form.submit).toBe('Send');
  // All recorded forms have a confirmation; none may use the site's default text.
  expect(wire.confirmations).not.toBeNull();
  expect(JSON.stringify(afterSending(form).confirmation)).not.toContain('It has arrived');
});

test.each([
  ['taken', { kind: 'delivered', confirmation: { type: 'message' } }],
  ['taken-and-taken-elsewhere', { kind: 'delivered', confirmation: { type: 'redirect' } }],
  ['required', { kind: 'refused', fields: ['1'] }],
  ['full', { kind: 'blocked', reason: expect.stringContaining('form-closed') }],
  ['over', { kind: 'blocked', reason: expect.stringContaining('form-closed') }],
  ['inactive', { kind: 'blocked', reason: expect.stringContaining('form-not-found') }],
  ['trashed', { kind: 'blocked', reason: expect.stringContaining('form-not-found') }],
  ['button-hidden', { kind: 'blocked', reason: expect.stringContaining('form-button-hidden') }],
])('R30: the response of Gravity Forms to a submission that is %s is recognised', (name, verdict) => {
  const { status = 0, body = null } = submissions[name] ?? {};
  const answer = success({ status, data: body, retryAfter: null });
  const { interpret } = createGravityForms({} as Client);
  expect(interpret(answer, { signUpId: 'none', formId: 1, createdAt: 0, answers: {} }, 0)).toMatchObject(verdict);
});
