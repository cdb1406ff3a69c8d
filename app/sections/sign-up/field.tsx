import { Suspense } from 'react';
import type { Answers, Choice, FormField, FormInput } from '../../content/types.ts';
import { each } from '../../ui/each.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import styles from './form.module.css';
import { controlId, type FieldProps, Notes } from './notes.tsx';
import { FileField } from './rare-field.tsx';

/** Gravity Forms' field type → the `type` of HTML's input. One that is not here is plain text. */
const INPUT_TYPES: Record<string, string> = {
  email: 'email',
  phone: 'tel',
  website: 'url',
  number: 'number',
  date: 'date',
  time: 'time',
};

/** A number input sends a decimal point; where Gravity Forms wants another sign it must be text. */
const isWrittenNumber = ({ type, format }: FormField) => type === 'number' && /comma|currency/.test(format);

/** Characters of a label that fit into the field it names on the narrowest phone. */
const LONGEST_INSIDE = 24;

const answersTo = (values: Answers, name: string): string[] => [values[name] ?? []].flat();

/** What ties a control to its description and its error, for assistive technology. */
function ties({ formId, field, error }: FieldProps) {
  const base = controlId(formId, `${field.id}`);
  const ids = [field.description !== '' && `${base}-about`, error !== null && `${base}-error`].filter(Boolean);
  return { 'aria-describedby': ids.join(' ') || undefined, 'aria-invalid': error !== null || undefined };
}

/** One field of the form with its label, description and error. */
export function Field(props: FieldProps) {
  const { field } = props;
  const [input] = field.inputs;
  switch (field.type) {
    case 'html':
      return <RichText html={field.html ?? ''} />;
    case 'section':
      return <SectionBreak field={field} />;
    case 'hidden':
      return <Hidden {...props} />;
    case 'radio':
    case 'checkbox':
    case 'multiselect':
      return <Choices {...props} />;
    case 'fileupload':
      return (
        <Suspense>
          <FileField {...props} />
        </Suspense>
      );
  }
  if (!input) return null;
  if (field.type === 'consent') return <Consent {...props} input={input} />;
  if (field.inputs.length > 1) return <Group {...props} />;
  return (
    <div>
      <Control {...props} input={input} label={field.label} />
      <Notes {...props} />
    </div>
  );
}

const SectionBreak = ({ field: { label, description } }: { field: FormField }) => (
  <div className={styles.group}>
    {label !== '' && <h3>{label}</h3>}
    {description !== '' && <p className={styles.about}>{description}</p>}
  </div>
);

/** Of a hidden field the value is React's own: set from outside, the next change would undo it. */
function Hidden({ field, values, search }: FieldProps) {
  const query = new URLSearchParams(search);
  const own = ({ prefill, defaultValue }: FormInput) => (prefill && query.get(prefill)) ?? defaultValue;
  return each(field.inputs, (input) => (
    <input
      type="hidden"
      name={input.name}
      defaultValue={values ? (answersTo(values, input.name)[0] ?? '') : own(input)}
    />
  ));
}

interface SelectProps {
  choices: Choice[];
  placeholder: string;
  mayBeOpen: boolean;
}

function Select({ choices, placeholder, mayBeOpen, ...shared }: SelectProps & object) {
  return (
    <select {...shared}>
      {(mayBeOpen || placeholder !== ' ') && <option value="">{placeholder}</option>}
      {each(choices, ({ text, value }) => (
        <option value={value}>{text}</option>
      ))}
    </select>
  );
}

const selected = (choices: Choice[]) => choices.find(({ isSelected }) => isSelected)?.value;

/** A control under its label. The label comes second: it lies in the empty field and steps up when there is an answer. */
function Control({ input, label, ...props }: FieldProps & { input: FormInput; label: string }) {
  const { formId, field, values } = props;
  const id = controlId(formId, input.name);
  const choices = field.type === 'select' ? field.choices : input.choices;
  const own = selected(choices) ?? input.defaultValue;
  const shared = {
    id,
    name: input.name,
    defaultValue: values ? (answersTo(values, input.name)[0] ?? '') : own,
    autoComplete: input.autocomplete ?? undefined,
    required: input.isRequired,
    placeholder: input.placeholder || field.placeholder || ' ',
    ...ties(props),
  };
  const isText = isWrittenNumber(field);
  return (
    <div className={`${styles.control} form-control`}>
      {field.type === 'select' || choices.length > 0 ? (
        <Select {...shared} choices={choices} mayBeOpen={input.choices.length > 0} />
      ) : field.type === 'textarea' ? (
        <textarea {...shared} rows={field.rows} />
      ) : (
        <input
          {...shared}
          type={isText ? 'text' : (INPUT_TYPES[field.type] ?? 'text')}
          inputMode={isText ? 'decimal' : undefined}
          step={field.type === 'number' ? 'any' : undefined}
          min={field.min ?? undefined}
          max={field.max ?? undefined}
        />
      )}
      <label
        className={styles.label}
        htmlFor={id}
        data-required={input.isRequired || undefined}
        data-long={label.length > LONGEST_INSIDE || undefined}
      >
        {label}
      </label>
    </div>
  );
}

/** Several controls of one field, as first and last name are. */
function Group(props: FieldProps) {
  const { field } = props;
  return (
    <fieldset className={styles.group}>
      <legend data-required={field.isRequired || undefined}>{field.label}</legend>
      {field.inputs.map((input) => (
        <Control key={input.name} {...props} input={input} label={input.label} />
      ))}
      <Notes {...props} />
    </fieldset>
  );
}

/** Radio buttons, and boxes of which several are sent as one answer, share one name; other boxes have one each. */
function Choices(props: FieldProps) {
  const { formId, field, values } = props;
  const isRadio = field.type === 'radio';
  return (
    <fieldset className={styles.group}>
      <legend data-required={field.isRequired || undefined}>{field.label}</legend>
      {field.choices.map((choice, index) => {
        const name = (field.type === 'checkbox' ? field.inputs[index] : field.inputs[0])?.name ?? '';
        return (
          <label className={`${styles.choice} form-choice`} key={choice.value}>
            <input
              id={index === 0 ? controlId(formId, name) : undefined}
              type={isRadio ? 'radio' : 'checkbox'}
              name={name}
              value={choice.value}
              defaultChecked={values ? answersTo(values, name).includes(choice.value) : choice.isSelected}
              required={field.isRequired && isRadio}
              {...ties(props)}
            />
            <span>{choice.text}</span>
          </label>
        );
      })}
      <Notes {...props} />
    </fieldset>
  );
}

function Consent({ input, ...props }: FieldProps & { input: FormInput }) {
  const { formId, field, values } = props;
  const id = controlId(formId, input.name);
  return (
    <div className={styles.consent}>
      <div className={`${styles.choice} form-choice`}>
        <input
          id={id}
          type="checkbox"
          name={input.name}
          value="1"
          defaultChecked={values ? answersTo(values, input.name).includes('1') : false}
          required={field.isRequired}
          {...ties(props)}
        />
        <label htmlFor={id} data-required={field.isRequired || undefined}>
          {field.consentHtml === null ? field.label : <RichText html={field.consentHtml} />}
        </label>
      </div>
      <Notes {...props} />
    </div>
  );
}
