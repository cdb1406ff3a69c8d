import { z } from 'zod';
import type { Field, SectionFieldKind } from '../sections/declaration.ts';
import { DECLARED } from './declared.ts';
import { filmSchema, isObject, pictureSchema, text, wholeNumber } from './schemas.ts';

/** Fields of a declaration, by member. A list names its items instead of containing them. */
export type Fields = Readonly<Record<string, Field | ItemsField>>;

/** A list of items in WordPress' declarations: `of` is the item's name. */
export type ItemsField = Omit<Extract<Field, { kind: 'list' }>, 'of'> & { of: string };

interface Declared {
  fields: Fields;
}

/** Declared sections by type, and their items by name. */
export const SECTIONS = DECLARED.sections as unknown as Readonly<Record<string, Declared>>;
export const ITEMS = DECLARED.items as unknown as Readonly<Record<string, Declared>>;

const rowsSchema = z
  .array(z.object({ label: text, value: text }).nullable().catch(null))
  .nullish()
  .transform((rows) => (rows ?? []).filter((row) => row !== null));

/** Items are checked later, one by one, so that an invalid item does not affect others. */
const itemsSchema = z
  .array(z.unknown())
  .nullish()
  .transform((list) => list ?? []);

/** Schema of each kind of field. A missing value is empty; an invalid one makes the section unreadable. */
const KIND_SCHEMAS = {
  text,
  inline: text,
  paragraphs: text,
  rows: rowsSchema,
  picture: pictureSchema,
  film: filmSchema,
  drawing: text.catch(''),
  form: wholeNumber.nullish().transform((id) => id ?? 0),
  html: text,
  list: itemsSchema,
} satisfies Record<SectionFieldKind, z.ZodType>;

const shapeOf = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, KIND_SCHEMAS[kind]]));

const schemasOf = (declarations: Readonly<Record<string, Declared>>) =>
  new Map(Object.entries(declarations).map(([name, { fields }]) => [name, z.object(shapeOf(fields))] as const));

const SECTION_SCHEMAS = schemasOf(SECTIONS);
const ITEM_SCHEMAS = schemasOf(ITEMS);

/** Values of a section or item in a response, by member. */
export type WireValues = Record<string, unknown>;

export const itemSchema = (name: string): z.ZodType<WireValues> => ITEM_SCHEMAS.get(name) ?? z.never();

/** Whether a value has the type of a declared section, readable or not. */
export const isDeclaredSection = (value: unknown): boolean =>
  isObject(value) && SECTION_SCHEMAS.has(value.type as string);

const typedSchema = z.looseObject({ type: z.string().refine((type) => SECTION_SCHEMAS.has(type), 'is no section') });

/** Schema of a section by its type. An error's path names the field. */
export const sectionSchema: z.ZodType<WireValues & { type: string }> = typedSchema.transform((value, context) => {
  const read = SECTION_SCHEMAS.get(value.type)?.safeParse(value);
  if (read?.success) return { ...read.data, type: value.type };
  context.issues.push(...((read?.error.issues ?? []) as typeof context.issues));
  return z.NEVER;
});
