const { __, sprintf } = wp.i18n;
const { PanelBody, SelectControl } = wp.components;
const { InspectorControls } = wp.blockEditor;
const { el, bind, Line, Section, register, useAnswer, useStrings } = window.pillionSections;

type FormField = { id: number; type: string; label: string; checkboxLabel?: string };
type Form = { id: number; title: string; fields: FormField[]; button?: { text: string } };

/** Shows the fields of a form, without controls. `form`: `undefined` while it is loading, `null` if that failed. */
const FormPreview = ({ form, id }: { form?: Form | null; id: number }) => {
  if (form === null) {
    // translators: %d: number of a form.
    const text = sprintf(__('Form %d cannot be shown here.', 'pillion'), id);
    return el('p', { className: 'pillion-form-consent' }, text);
  }
  const visibleFields = (form?.fields || []).filter(({ type }) => type !== 'hidden' && type !== 'honeypot');
  return el(
    'div',
    { className: 'pillion-form-fields', 'aria-hidden': true },
    visibleFields.map((field) => el(FieldPreview, { key: field.id, field })),
    form && el('span', { className: 'pillion-form-button' }, form.button?.text || __('Send', 'pillion')),
  );
};

/** A consent field shows its sentence, which may contain a link; other fields show their label. */
const FieldPreview = ({ field }: { field: FormField }) => {
  if (field.type !== 'consent') {
    return el('span', { className: 'pillion-form-field' }, field.label);
  }
  const text = new DOMParser().parseFromString(field.checkboxLabel || '', 'text/html').body.textContent;
  return el('span', { className: 'pillion-form-consent' }, text || field.label);
};

interface FormPanelProps {
  /** 0: the site's form. */
  id: number;
  siteFormId: number;
  field: SectionField;
  onChange(id: number): void;
}

/** Settings of the block, in which the editor chooses the form. */
const FormPanel = ({ id, siteFormId, field, onChange }: FormPanelProps) => {
  const forms: Record<string, Form> | null | undefined = useAnswer('/gf/v2/forms');
  const options = Object.values(forms || {}).map((form) => ({ value: String(form.id), label: form.title }));
  if (id && !options.some((option) => Number(option.value) === id)) {
    options.push({ value: String(id), label: sprintf(__('Form %d', 'pillion'), id) });
  }
  options.unshift({ value: '0', label: sprintf(__('The site’s own (form %d)', 'pillion'), siteFormId) });
  return el(
    InspectorControls,
    null,
    el(
      PanelBody,
      { title: __('Form', 'pillion') },
      el(SelectControl, {
        __nextHasNoMarginBottom: true,
        __next40pxDefaultSize: true,
        label: field.label,
        help: field.help,
        value: String(id),
        options,
        onChange: (value) => onChange(Number(value)),
      }),
    ),
  );
};

/** The declaration with only some of its fields. */
const withFields = (declaration: Declared, ...names: string[]) => ({
  ...declaration,
  fields: Object.fromEntries(names.map((name) => [name, declaration.fields[name]])),
});

/** The headline on one side, the form on the other with the text above it. */
const SignUp = ({ block, declaration }: SectionProps) => {
  const id = block.attributes.form_id;
  const siteFormId = Number(useStrings().form?.form_id) || 1;
  const form = useAnswer(`/gf/v2/forms/${id || siteFormId}`);
  const { text, form_id: field } = declaration.fields;
  return el(
    Section,
    { block, declaration: withFields(declaration, 'kicker', 'heading', 'picture', 'portrait') },
    el(
      'div',
      { className: 'pillion-form' },
      el(Line, {
        ...bind(block, 'text'),
        className: 'pillion-form-text',
        placeholder: text.placeholder,
        'aria-label': text.label,
      }),
      el(FormPreview, { form, id: id || siteFormId }),
    ),
    el(FormPanel, {
      id,
      siteFormId,
      field,
      onChange: (value: number) => block.setAttributes({ form_id: value }),
    }),
  );
};

register('sign-up', SignUp);
