import type { LogicOperator } from '@pillion/forms/form.ts';
import { z } from 'zod';
import { isObject, pictureSchema, text, wholeNumber } from '../../wordpress/schemas.ts';

/** Schemas of Gravity Forms' form object. An invalid option gets its default; a field needs only an id and a type. */

const option = text.catch('');
const flag = z.boolean().catch(false);

/** A missing or invalid value becomes `null` or `undefined`. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);

/** Numbers arrive as numbers, strings, with a decimal comma, or as `''`. */
const number = z
  .union([z.number(), z.string().transform((value) => (value.trim() === '' ? null : Number(value.replace(',', '.'))))])
  .nullish()
  .catch(null)
  .transform((value) => (Number.isFinite(value) ? (value as number) : null));

const stringOrNumber = z.union([z.string(), z.number().transform(String)]);
const valueText = stringOrNumber.catch('');

const choiceSchema = z.object({
  text,
  value: valueText,
  isSelected: flag,
  /** The "other" choice, with a text input. */
  isOtherChoice: flag,
  /** Picture of an image choice, added by the plugin. */
  picture: pictureSchema,
});

/** Gravity Forms encodes a missing list as `null`, `''` or `[]`. */
const listOf = <T extends z.ZodType>(item: T) => optional(z.array(item));

const inputSchema = z.object({
  id: stringOrNumber,
  label: text,
  customLabel: option,
  placeholder: option,
  defaultValue: valueText,
  /** Query parameter that fills in the input. */
  name: option,
  isHidden: flag,
  autocompleteAttribute: option,
  choices: listOf(choiceSchema),
});

const OPERATORS: Record<string, LogicOperator> = {
  is: 'equals',
  isnot: 'differs',
  '>': 'above',
  greater_than: 'above',
  '<': 'below',
  less_than: 'below',
  contains: 'contains',
  starts_with: 'starts',
  ends_with: 'ends',
};

const ruleSchema = z.object({
  fieldId: stringOrNumber.refine((id) => /^\d+(\.\d+)?$/.test(id)),
  operator: z.enum(Object.keys(OPERATORS)).transform((name) => OPERATORS[name] as LogicOperator),
  value: valueText,
});

const logicSchema = optional(
  z.object({
    enabled: optional(z.boolean()),
    actionType: z.enum(['show', 'hide']).catch('show'),
    logicType: z.enum(['all', 'any']).catch('all'),
    rules: z.array(z.unknown()),
  }),
);

const button = optional(z.object({ type: option, text: option, imageAlt: option, conditionalLogic: logicSchema }));

export const fieldSchema = z.object({
  id: wholeNumber,
  type: z.string(),
  inputType: option,
  label: text,
  description: option,
  isRequired: flag,
  errorMessage: option,
  placeholder: option,
  defaultValue: valueText,
  visibility: option,
  checkboxLabel: option,
  content: option,
  size: option,
  maxLength: number,
  rangeMin: number,
  rangeMax: number,
  numberFormat: option,
  phoneFormat: option,
  dateFormat: option,
  timeFormat: option,
  allowedExtensions: option,
  /** In megabytes; empty: WordPress' limit. */
  maxFileSize: number,
  multipleFiles: flag,
  maxFiles: number,
  addressType: option,
  hideAddress2: flag,
  hideState: flag,
  hideCountry: flag,
  defaultCountry: option,
  defaultState: option,
  defaultProvince: option,
  emailConfirmEnabled: flag,
  enableOtherChoice: flag,
  /** `exactly` or `range`. The numbers of the other setting may be outdated. */
  choiceLimit: option,
  choiceLimitNumber: number,
  choiceLimitMin: number,
  choiceLimitMax: number,
  enableColumns: flag,
  maxRows: number,
  enableCalculation: flag,
  allowsPrepopulate: flag,
  inputName: option,
  enableAutocomplete: flag,
  autocompleteAttribute: option,
  conditionalLogic: logicSchema,
  nextButton: button,
  previousButton: button,
  inputs: listOf(inputSchema),
  choices: listOf(choiceSchema),
});

export type WireField = z.output<typeof fieldSchema>;
export type WireInput = z.output<typeof inputSchema>;

/** @returns `null` if a rule is invalid: the field is then shown. */
export const readRule = (value: unknown) => ruleSchema.safeParse(value).data ?? null;

const confirmationSchema = z
  .object({
    type: text,
    message: option,
    url: option,
    queryString: option,
    isDefault: flag,
    /** As in Gravity Forms, a missing value means active. */
    isActive: z.union([z.boolean(), z.string(), z.number()]).catch(true),
    /** `form_saved` and similar events belong to drafts. */
    event: option,
    conditionalLogic: z.unknown().optional(),
  })
  .transform(({ conditionalLogic, isActive, ...confirmation }) => ({
    ...confirmation,
    isActive: isActive !== false && isActive !== '0' && isActive !== 0,
    // PHP encodes no condition as `[]`, `''` or `null`.
    hasCondition: isObject(conditionalLogic),
  }));

const epochSeconds = optional(z.number());

/** Data that the plugin adds to Gravity Forms' response (`GravityDescription.php`); missing with an older plugin. */
const descriptionSchema = optional(
  z.object({
    /** `message` is HTML, as are `pending` and `expired`. */
    closed: optional(z.object({ reason: option, message: option })),
    schedule: optional(z.object({ opens: epochSeconds, closes: epochSeconds, pending: option, expired: option })),
    /** The form has a limit of entries, so the site asks Gravity Forms before it stores a sign-up. */
    asks: flag,
    currency: optional(
      z.object({ before: text, after: text, thousands: text, decimal: text, decimals: z.number().int().min(0).max(8) }),
    ),
    /** Ids of the fields whose answers must be unique. */
    unique: listOf(wholeNumber),
    /** File extensions that WordPress accepts. */
    files: listOf(z.string()),
    /** Values of the hidden controls on Gravity Forms' own page, by control name. */
    fixed: optional(z.record(z.string(), z.string())),
  }),
);

export const formSchema = z.object({
  id: wholeNumber,
  title: text,
  description: text,
  button,
  lastPageButton: button,
  pagination: optional(z.object({ pages: listOf(option) })),
  fields: z.array(z.unknown()),
  confirmations: z.preprocess(
    (value) => (Array.isArray(value) ? Object.fromEntries(value.entries()) : value),
    optional(z.record(z.string(), confirmationSchema)),
  ),
  enableHoneypot: flag,
  pillion: descriptionSchema,
  personalData: optional(z.object({ preventIP: flag })),
});

export type WireForm = z.output<typeof formSchema>;

/**
 * Removes the notifications of a form, which contain email addresses.
 * @param form May be another response, which has no `fields`. @returns The same object if there is nothing to remove.
 */
export function withoutRecipients(form: unknown): unknown {
  if (typeof form !== 'object' || form === null || !('notifications' in form) || !('fields' in form)) return form;
  const { notifications: _, ...rest } = form;
  return rest;
}
