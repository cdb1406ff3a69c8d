import type { Answers, Choice, FormField } from '@pillion/forms/form.ts';
import type { FormTexts } from '@pillion/forms/texts.ts';
import type { ComponentProps, ComponentType } from 'react';
import styles from './form.module.css';

/** What a field needs of `rare-fields.tsx`. */
interface RareDrawers {
  drawerOf: (field: FormField) => ComponentType<FieldProps> | null;
  attributesOf: (field: FormField) => ComponentProps<'input'>;
  Select: ComponentType<SelectProps>;
}

export interface SelectProps extends ComponentProps<'select'> {
  choices: Choice[];
  mayBeOpen: boolean;
  placeholder: string;
}

export interface FieldProps {
  formId: number;
  field: FormField;
  /** What was answered before; `null`: nothing yet, so that the editor's own values stand. */
  values: Answers | null;
  /** The page's query, empty until the page's script runs. */
  search: string;
  error: string | null;
  texts: FormTexts;
  /** Draws the rare kinds; `null` where this form has none. */
  rare: RareDrawers | null;
}

export const controlId = (formId: number, name: string) => `form-${formId}-${name}`;

/** What stands under a field: its description, and what is wrong with it. */
export function Notes({ formId, field, error }: FieldProps) {
  const base = controlId(formId, `${field.id}`);
  return (
    <>
      {field.description !== '' && (
        <p className={styles.about} id={`${base}-about`}>
          {field.description}
        </p>
      )}
      {error !== null && (
        <p className="form-error" id={`${base}-error`}>
          {error}
        </p>
      )}
    </>
  );
}
