import { extraKind } from '@pillion/forms/extra-kinds.ts';
import type { Form, FormField } from '@pillion/forms/form.ts';
import type { ExtraLook } from '@pillion/forms/kind.ts';
import { type ComponentProps, type ComponentType, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { createChunk } from '../../ui/chunk.ts';
import { each } from '../../ui/each.tsx';
import { Picture } from '../../ui/picture.tsx';
import { readDraft } from './draft.ts';
import { ariaAttributes, initialValue, LabeledControl, valuesOf } from './field.tsx';
import styles from './form.module.css';
import { controlId, type FieldProps, Notes, type SelectProps } from './notes.tsx';

/** This chunk has the code for less common kinds of field: components, rules and conditional logic. */

export { checkExtra, joinExtra } from '@pillion/forms/extra-rules.ts';
export { hiddenFields, isOffered } from '@pillion/forms/logic.ts';

/** A separate chunk, because even fewer forms have file fields. */
const fileChunk = createChunk(() => import('./file-field.tsx'));

if (import.meta.env.SSR) await fileChunk.load();

/** Fetches the code of file fields if the form has one. @throws If it cannot be loaded. */
export async function prepareFiles({ fields }: Form): Promise<void> {
  if (fields.some(({ upload }) => upload)) await fileChunk.load();
}

/** Suspends until the chunk is loaded. */
const LoadedFileField = (props: FieldProps) => {
  const { FileField } = fileChunk.loadAndRead();
  return <FileField {...props} />;
};

const LazyFileField = (props: FieldProps) => (
  <Suspense>
    <LoadedFileField {...props} />
  </Suspense>
);

/** Components for the less common kinds of field. */
const COMPONENTS: Record<ExtraLook, (field: FormField) => ComponentType<FieldProps> | null> = {
  section: () => SectionBreak,
  choices: () => Choices,
  list: () => ListField,
  file: () => LazyFileField,
  // The native time input sends 24 hours.
  time: ({ format }) => (format === '12-hours' ? TwelveHourTime : null),
  nothing: () => Empty,
};

/** @returns `null` for a field with a common component. */
export function componentOf(field: FormField): ComponentType<FieldProps> | null {
  const { look = 'control' } = extraKind(field.type) ?? {};
  if (look !== 'control') return COMPONENTS[look](field);
  return field.inputs.length > 1 ? ControlGroup : null;
}

/** Additional attributes of a field's input. */
export function attributesOf({ type, format, min, max }: FormField): ComponentProps<'input'> {
  const kind = extraKind(type);
  if (!kind) return {};
  // A number input sends a decimal point. If the form has another separator, the input must be text.
  const isText = type === 'number' && (format === 'decimal-comma' || format === 'currency');
  return {
    type: isText ? 'text' : (kind.input ?? 'text'),
    inputMode: isText ? 'decimal' : undefined,
    step: type === 'number' ? 'any' : undefined,
    min: min ?? undefined,
    max: max ?? undefined,
  };
}

const Empty = () => null;

const SectionBreak = ({ field: { label, description } }: FieldProps) => (
  <div className="form-group">
    {label !== '' && <h3>{label}</h3>}
    {description !== '' && <p className={styles.about}>{description}</p>}
  </div>
);

export function Select({ choices, placeholder, hasEmptyOption, ...attributes }: SelectProps) {
  return (
    <select {...attributes}>
      {(hasEmptyOption || placeholder !== ' ') && <option value="">{placeholder}</option>}
      {each(choices, ({ text, value }) => (
        <option value={value}>{text}</option>
      ))}
    </select>
  );
}

/** A field with several controls, such as first and last name. */
function ControlGroup(props: FieldProps) {
  const { field } = props;
  return (
    <fieldset className="form-group">
      <legend data-required={field.isRequired || undefined}>{field.label}</legend>
      {field.inputs.map((input) => (
        <LabeledControl key={input.name} {...props} input={input} label={input.label} />
      ))}
      <Notes {...props} />
    </fieldset>
  );
}

/** Radio buttons and the boxes of a multiselect share one name; the boxes of a checkbox field have separate names. */
function Choices(props: FieldProps) {
  const { formId, field, values } = props;
  const isRadio = field.type === 'radio';
  const hasPictures = field.choices.some(({ image }) => image);
  const nameOf = (index: number) => (field.type === 'checkbox' ? field.inputs[index] : field.inputs[0])?.name ?? '';
  return (
    <fieldset className="form-group">
      <legend data-required={field.isRequired || undefined}>{field.label}</legend>
      <div className={hasPictures ? 'form-pictures' : undefined}>
        {field.choices.map((choice, index) => {
          const name = nameOf(index);
          return (
            <label className={`${styles.choice} form-choice`} key={choice.value}>
              <input
                id={index === 0 ? controlId(formId, name) : undefined}
                type={isRadio ? 'radio' : 'checkbox'}
                name={name}
                value={choice.value}
                defaultChecked={values ? valuesOf(values, name).includes(choice.value) : choice.isSelected}
                required={field.isRequired && isRadio}
                {...ariaAttributes(props)}
              />
              {choice.image && <Picture picture={{ ...choice.image, alt: '' }} sizes="16rem" />}
              <span>{choice.text}</span>
            </label>
          );
        })}
      </div>
      {field.other && <OtherChoice {...props} other={field.other} />}
      <Notes {...props} />
    </fieldset>
  );
}

/** A choice with own text. Writing text selects it; without script the visitor must select it. */
function OtherChoice({ other, ...props }: FieldProps & { other: NonNullable<FormField['other']> }) {
  const { formId, field, values, texts } = props;
  const name = field.inputs[0]?.name ?? '';
  const label = other.text || texts.other;
  const choice = useRef<HTMLInputElement>(null);
  return (
    <div className="form-other">
      <label className={`${styles.choice} form-choice`}>
        <input
          id={controlId(formId, `${name}-other`)}
          type="radio"
          name={name}
          value={other.value}
          ref={choice}
          defaultChecked={values ? valuesOf(values, name).includes(other.value) : false}
          {...ariaAttributes(props)}
        />
        <span>{label}</span>
      </label>
      <input
        type="text"
        name={other.name}
        aria-label={label}
        defaultValue={initialValue(values, other.name)}
        onInput={({ currentTarget }) => {
          if (choice.current && currentTarget.value !== '') choice.current.checked = true;
        }}
      />
    </div>
  );
}

/** An answer as `joinExtra` writes it: `9:05 pm`. Invalid answers, such as `:05 pm`, are shown again too. */
const TIME = /^(\d*):(\d*) ?(.*)$/;

/** Hour, minute and am or pm. The three controls have one name, because they are one answer. */
function TwelveHourTime(props: FieldProps) {
  const { formId, field, values, texts } = props;
  const [input] = field.inputs;
  if (!input) return null;
  const written = initialValue(values, input.name, input.defaultValue);
  const [, hour = '', minute = '', half = ''] = TIME.exec(written) ?? [];
  const name = `${input.name}[]`;
  const timePart = (label: string, placeholder: string, value: string, id?: string) => (
    <label>
      <span>{label}</span>
      <input
        id={id}
        name={name}
        inputMode="numeric"
        pattern="\d{1,2}"
        maxLength={2}
        placeholder={placeholder}
        defaultValue={value}
        required={input.isRequired}
        {...ariaAttributes(props)}
      />
    </label>
  );
  return (
    <fieldset className="form-group form-parts">
      <legend data-required={field.isRequired || undefined}>{field.label}</legend>
      <div>
        {timePart(texts.hour, 'hh', hour, controlId(formId, input.name))}
        {timePart(texts.minute, 'mm', minute)}
        <label>
          <span>{'AM/PM'}</span>
          <select name={name} defaultValue={half.toLowerCase() === 'pm' ? 'pm' : 'am'}>
            <option value="am">AM</option>
            <option value="pm">PM</option>
          </select>
        </label>
      </div>
      <Notes {...props} />
    </fieldset>
  );
}

/** Initial number of rows of a list, so that it works without script. */
const INITIAL_ROWS = 3;

interface Row {
  key: number;
  values: string[];
}

/**
 * Earlier answers as rows, filled up with empty rows to `INITIAL_ROWS`.
 * @param given The answers of all cells, row by row.
 * @param width Number of columns.
 */
function createRows(given: string[], width: number, maxRows: number): Row[] {
  const count = Math.min(maxRows, Math.max(INITIAL_ROWS, Math.ceil(given.length / width)));
  return Array.from({ length: count }, (_, key) => ({ key, values: given.slice(key * width, (key + 1) * width) }));
}

/** The rows of a list. Without script there are `INITIAL_ROWS`, and no buttons. */
function useRows({ formId, values }: FieldProps, name: string, width: number, maxRows: number) {
  const [rows, setRows] = useState(() => createRows(values ? valuesOf(values, name) : [], width, maxRows));
  const [hasScript, setHasScript] = useState(false);
  const list = useRef<HTMLFieldSetElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; a draft may have more rows than the server has rendered.
  useLayoutEffect(() => {
    setHasScript(true);
    const stored = values ? undefined : readDraft({ id: formId })?.values[name];
    if (stored) setRows(createRows(stored, width, maxRows));
  }, []);
  /** The button with focus may be gone: move focus to a row, once it is there. */
  const focusRow = (row: string) =>
    setTimeout(() => list.current?.querySelector<HTMLElement>(`:scope > ${row} input`)?.focus());
  return {
    rows,
    hasScript,
    list,
    add() {
      setRows((before) => [...before, { key: Math.max(-1, ...before.map(({ key }) => key)) + 1, values: [] }]);
      focusRow('div:last-of-type');
    },
    remove({ key: removed }: Row) {
      setRows((before) => before.filter(({ key }) => key !== removed));
      focusRow('div');
      // The form then stores the draft and applies its conditions.
      setTimeout(() => list.current?.dispatchEvent(new Event('input', { bubbles: true })));
    },
  };
}

function ListField(props: FieldProps) {
  const { formId, field, texts } = props;
  const [input] = field.inputs;
  const columns = field.columns?.length ? field.columns : [field.label];
  const maxRows = field.maxRows ?? Number.POSITIVE_INFINITY;
  const { rows, hasScript, list, add, remove } = useRows(props, input?.name ?? '', columns.length, maxRows);
  if (!input) return null;
  return (
    <fieldset className="form-group form-parts" name={input.name} ref={list}>
      <legend data-required={field.isRequired || undefined}>{field.label}</legend>
      {rows.map((row, at) => (
        <div key={row.key}>
          {columns.map((column, index) => (
            <label key={column}>
              <span className={field.columns?.length ? undefined : 'visually-hidden'}>
                {column}
                <span className="visually-hidden"> {at + 1}</span>
              </span>
              <input
                id={at + index === 0 ? controlId(formId, input.name) : undefined}
                name={`${input.name}[]`}
                defaultValue={row.values[index] ?? ''}
                required={field.isRequired && at + index === 0}
                {...ariaAttributes(props)}
              />
            </label>
          ))}
          {hasScript && rows.length > 1 && (
            <button type="button" aria-label={`${texts.row_remove} ${at + 1}`} onClick={() => remove(row)}>
              {texts.row_remove}
            </button>
          )}
        </div>
      ))}
      {hasScript && rows.length < maxRows && (
        <button type="button" onClick={add}>
          {texts.row_add}
        </button>
      )}
      <Notes {...props} />
    </fieldset>
  );
}
