import type { Form } from '@pillion/forms/form.ts';
import type { z } from 'zod';
import type { Warn } from '../wordpress/result.ts';
import type { Rewriter } from '../wordpress/rewrite.ts';
import { formOf } from './gravity-forms/form.ts';
import { fieldSchema, formSchema, type WireForm, withoutRecipients } from './gravity-forms/schemas.ts';

/** How a backend writes its forms. Definitions are stored and bundled as the backend wrote them. */
export interface FormFormat<Definition> {
  schema: z.ZodType<Definition>;
  /** Of one item of the definition's list `fields`. */
  fieldSchema: z.ZodType;
  /** Members that the bundled copy keeps. */
  members: readonly string[];
  /** Removes what the site must not store. */
  withoutRecipients: (definition: unknown) => unknown;
  describe: (definition: Definition, rewriter: Rewriter, warn: Warn) => Form;
}

/** The format of Gravity Forms, which the plugin's own forms have too. It also describes the bundled forms. */
export const FORM_FORMAT: FormFormat<WireForm> = {
  schema: formSchema,
  fieldSchema,
  members: ['id', 'title', 'description', 'button', 'fields', 'confirmations', 'enableHoneypot'],
  withoutRecipients,
  describe: formOf,
};
