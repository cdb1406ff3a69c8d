import type { Answers, Choice, FormField } from '@pillion/forms/form.ts';
import type { FormTexts } from '@pillion/forms/texts.ts';
import type { ComponentProps, ComponentType } from 'react';
import styles from './form.module.css';

/** The part of `extra-fields.tsx` that fields use. */
interface ExtraComponents {
  componentOf: (field: FormField) => ComponentType<FieldProps> | null;
  attributesOf: (field: FormField) => ComponentProps<'input'>;
  Select: ComponentType<SelectProps>;
}

export interface SelectProps extends ComponentProps<'select'> {
  choices: Choice[];
  /** Whether there is an empty first option without a placeholder too. */
  hasEmptyOption: boolean;
  /** Text of the empty first option; a space for a control without a placeholder (`LabeledControl`). */
  placeholder: string;
}

export interface FieldProps {
  formId: number;
  field: FormField;
  /** Earlier answers; `null`: no answers yet, so the default values apply. */
  values: Answers | null;
  /** The page's query; empty until the script runs. */
  search: string;
  error: string | null;
  texts: FormTexts;
  /** Components for less common kinds; `null` if the form does not need them. */
  extra: ExtraComponents | null;
}

export const controlId = (formId: number, name: string) => `form-${formId}-${name}`;

/** Description and error below a field. */
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
