import type { FormField, FormInput } from '../../content/types.ts';
import { each } from '../../ui/each.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import styles from './form.module.css';

interface Props {
  formId: number;
  field: FormField;
  values: Record<string, string>;
  error: string | null;
}

/** Gravity Forms' field type → the `type` of HTML's input. One that is not here is plain text. */
const INPUT_TYPES: Record<string, string> = {
  email: 'email',
  phone: 'tel',
  website: 'url',
  number: 'number',
  date: 'date',
  time: 'time',
};

export const controlId = (formId: number, name: string) => `form-${formId}-${name}`;

/** Characters of a label that fit into the field it names on the narrowest phone. */
const LONGEST_INSIDE = 24;

/** What ties a control to its description and its error, for assistive technology. */
function ties({ formId, field, error }: Props) {
  const base = controlId(formId, `${field.id}`);
  const ids = [field.description !== '' && `${base}-about`, error !== null && `${base}-error`].filter(Boolean);
  return {
    'aria-describedby': ids.join(' ') || undefined,
    'aria-invalid': error !== null || undefined,
    required: field.isRequired,
  };
}

/** One field of the form with its label, description and error. */
export function Field(props: Props) {
  const { field, values } = props;
  const [input] = field.inputs;
  if (!input) return null;
  if (field.type === 'hidden')
    return <input type="hidden" name={input.name} defaultValue={values[input.name] ?? field.defaultValue} />;
  if (field.type === 'consent') return <Consent {...props} input={input} />;
  if (field.type === 'radio' || field.type === 'checkbox') return <Choices {...props} />;
  if (field.inputs.length > 1) return <Group {...props} />;
  return (
    <div>
      <Control {...props} input={input} label={field.label} />
      <Notes {...props} />
    </div>
  );
}

function Notes({ formId, field, error }: Props) {
  const base = controlId(formId, `${field.id}`);
  return (
    <>
      {field.description !== '' && (
        <p className={styles.about} id={`${base}-about`}>
          {field.description}
        </p>
      )}
      {error !== null && (
        <p className={styles.error} id={`${base}-error`}>
          {error}
        </p>
      )}
    </>
  );
}

/** A control under its label. The label comes second: it lies in the empty field and steps up when there is an answer. */
function Control({ input, label, ...props }: Props & { input: FormInput; label: string }) {
  const { formId, field, values } = props;
  const id = controlId(formId, input.name);
  const shared = {
    id,
    name: input.name,
    defaultValue:
      values[input.name] ?? (field.choices.find(({ isSelected }) => isSelected)?.value || field.defaultValue),
    autoComplete: input.autocomplete ?? undefined,
    ...ties(props),
  };
  const placeholder = input.placeholder || field.placeholder || ' ';
  return (
    <div className={styles.control}>
      {field.type === 'select' && (
        <select {...shared}>
          {placeholder !== ' ' && <option value="">{placeholder}</option>}
          {each(field.choices, ({ text, value }) => (
            <option value={value}>{text}</option>
          ))}
        </select>
      )}
      {field.type === 'textarea' && <textarea {...shared} placeholder={placeholder} rows={4} />}
      {field.type !== 'select' && field.type !== 'textarea' && (
        <input {...shared} type={INPUT_TYPES[field.type] ?? 'text'} step="any" placeholder={placeholder} />
      )}
      <label
        className={styles.label}
        htmlFor={id}
        data-required={field.isRequired || undefined}
        data-long={label.length > LONGEST_INSIDE || undefined}
      >
        {label}
      </label>
    </div>
  );
}

/** Several controls of one field, as first and last name are. */
function Group(props: Props) {
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

/** Radio buttons share their field's one name; every checkbox has a name of its own. */
function Choices(props: Props) {
  const { formId, field, values } = props;
  return (
    <fieldset className={styles.group}>
      <legend data-required={field.isRequired || undefined}>{field.label}</legend>
      {field.choices.map((choice, index) => {
        const name = (field.type === 'radio' ? field.inputs[0] : field.inputs[index])?.name ?? '';
        const isFirst = index === 0;
        return (
          <label className={styles.choice} key={choice.value}>
            <input
              id={isFirst ? controlId(formId, name) : undefined}
              type={field.type}
              name={name}
              value={choice.value}
              defaultChecked={name in values ? values[name] === choice.value : choice.isSelected}
              {...ties(props)}
              required={field.isRequired && field.type === 'radio'}
            />
            <span>{choice.text}</span>
          </label>
        );
      })}
      <Notes {...props} />
    </fieldset>
  );
}

function Consent({ input, ...props }: Props & { input: FormInput }) {
  const { formId, field, values } = props;
  const id = controlId(formId, input.name);
  return (
    <div className={styles.consent}>
      <div className={styles.choice}>
        <input
          id={id}
          type="checkbox"
          name={input.name}
          value="1"
          defaultChecked={values[input.name] === '1'}
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
