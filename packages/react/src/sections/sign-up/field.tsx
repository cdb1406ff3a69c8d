import { commonKind } from '@pillion/forms/common-kinds.ts';
import type { Answers, Choice, FormInput } from '@pillion/forms/form.ts';
import type { CommonLook } from '@pillion/forms/kind.ts';
import type { ComponentType } from 'react';
import { each } from '../../ui/each.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import styles from './form.module.css';
import { controlId, type FieldProps, Notes } from './notes.tsx';

/** Maximum length of a label inside its field, in characters: it must fit on the narrowest phone. */
const MAX_INSIDE_LABEL_LENGTH = 24;

/** The answer to a control as a list; empty if there is no answer. */
export const valuesOf = (values: Answers, name: string): string[] => [values[name] ?? []].flat();

/** Value of a control at first: the earlier answer, or the default if the visitor has not sent the form yet. */
export const initialValue = (values: Answers | null, name: string, defaultValue = ''): string =>
  values ? (valuesOf(values, name)[0] ?? '') : defaultValue;

/** ARIA attributes that connect a control with its description and its error. */
export function ariaAttributes({ formId, field, error }: FieldProps) {
  const base = controlId(formId, `${field.id}`);
  const ids = [field.description !== '' && `${base}-about`, error !== null && `${base}-error`].filter(Boolean);
  return { 'aria-describedby': ids.join(' ') || undefined, 'aria-invalid': error !== null || undefined };
}

/** One control, with description and error below it. */
const SingleControl = (props: FieldProps) => {
  const [input] = props.field.inputs;
  return input ? (
    <div>
      <LabeledControl {...props} input={input} label={props.field.label} />
      <Notes {...props} />
    </div>
  ) : null;
};

/** Components for the common kinds of field. */
const COMPONENTS: Record<CommonLook, ComponentType<FieldProps>> = {
  control: SingleControl,
  consent: Consent,
  hidden: Hidden,
  html: ({ field }) => <RichText html={field.html ?? ''} />,
};

/** One field of the form with its label, description and error. */
export function Field(props: FieldProps) {
  const { field, extra } = props;
  const Component = extra?.componentOf(field) ?? COMPONENTS[commonKind(field.type)?.look ?? 'control'];
  return <Component {...props} />;
}

/** A hidden field. React sets its value from the query, because the next render would undo a value set by `fillForm`. */
function Hidden({ field, values, search }: FieldProps) {
  const query = new URLSearchParams(search);
  const prefilled = ({ prefill, defaultValue }: FormInput) => (prefill && query.get(prefill)) ?? defaultValue;
  return each(field.inputs, (input) => (
    <input type="hidden" name={input.name} defaultValue={initialValue(values, input.name, prefilled(input))} />
  ));
}

const selectedValue = (choices: Choice[]) => choices.find(({ isSelected }) => isSelected)?.value;

/** A control with its label. The label is inside an empty field, and above a filled one. */
export function LabeledControl({ input, label, ...props }: FieldProps & { input: FormInput; label: string }) {
  const { formId, field, values, extra } = props;
  const id = controlId(formId, input.name);
  // A control of a group, such as the title of a name, has its own choices, and an empty one before them.
  const choices = field.type === 'select' ? field.choices : input.choices;
  const defaultValue = selectedValue(choices) ?? input.defaultValue;
  const attributes = {
    id,
    name: input.name,
    defaultValue: initialValue(values, input.name, defaultValue),
    autoComplete: input.autocomplete ?? undefined,
    required: input.isRequired,
    // A space: without any placeholder, `:placeholder-shown` never matches an empty field.
    placeholder: input.placeholder || field.placeholder || ' ',
    ...ariaAttributes(props),
  };
  return (
    <div className={`${styles.control} form-control`}>
      <label
        className={styles.label}
        htmlFor={id}
        data-required={input.isRequired || undefined}
        data-long={label.length > MAX_INSIDE_LABEL_LENGTH || undefined}
      >
        {label}
      </label>
      {extra && (field.type === 'select' || choices.length > 0) ? (
        <extra.Select {...attributes} choices={choices} hasEmptyOption={input.choices.length > 0} />
      ) : field.type === 'textarea' ? (
        <textarea {...attributes} rows={field.rows} />
      ) : (
        <input {...attributes} type={field.type} {...extra?.attributesOf(field)} />
      )}
    </div>
  );
}

function Consent(props: FieldProps) {
  const { formId, field, values } = props;
  const [input] = field.inputs;
  if (!input) return null;
  const id = controlId(formId, input.name);
  return (
    <div className={styles.consent}>
      <div className={`${styles.choice} form-choice`}>
        <input
          id={id}
          type="checkbox"
          name={input.name}
          value="1"
          defaultChecked={values ? valuesOf(values, input.name).includes('1') : false}
          required={field.isRequired}
          {...ariaAttributes(props)}
        />
        <label htmlFor={id} data-required={field.isRequired || undefined}>
          {field.consentHtml === null ? field.label : <RichText html={field.consentHtml} isInline />}
        </label>
      </div>
      <Notes {...props} />
    </div>
  );
}
