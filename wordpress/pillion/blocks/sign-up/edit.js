{
  const wp = window.wp;
  const { __, sprintf } = wp.i18n;
  const { PanelBody, SelectControl } = wp.components;
  const { InspectorControls } = wp.blockEditor;
  const {
    el,
    bind,
    Line,
    Headline,
    Kicker,
    useAnswer,
    useStrings,
    useSection,
    register,
    PictureTools,
    Backdrop,
    bindPicture,
    PicturePanel,
  } = window.pillionSections;

  /** Fields of a form as the visitor meets them, to be looked at only. */
  const FormPreview = ({ form, id }) => {
    if (form === null) {
      // translators: %d: number of a form.
      return el(
        'p',
        { className: 'pillion-form-consent' },
        sprintf(__('There is no form %d to show here.', 'pillion'), id),
      );
    }
    const fields = (form?.fields || []).filter((field) => field.type !== 'hidden' && field.type !== 'honeypot');
    return el(
      'div',
      { className: 'pillion-form-fields', 'aria-hidden': true },
      fields.map((field) => el(FieldPreview, { key: field.id, field })),
      form && el('span', { className: 'pillion-form-button' }, form.button?.text || __('Send', 'pillion')),
    );
  };

  /** A consent box says its sentence, which may hold a link; everything else shows its label. */
  const FieldPreview = ({ field }) => {
    if (field.type !== 'consent') {
      return el('span', { className: 'pillion-form-field' }, field.label);
    }
    const text = new DOMParser().parseFromString(field.checkboxLabel || '', 'text/html').body.textContent;
    return el('span', { className: 'pillion-form-consent' }, text || field.label);
  };

  const FormPanel = ({ id, own, onChange }) => {
    const forms = useAnswer('/gf/v2/forms');
    const options = Object.values(forms || {}).map((form) => ({ value: String(form.id), label: form.title }));
    if (id && !options.some((option) => Number(option.value) === id)) {
      options.push({ value: String(id), label: sprintf(__('Form %d', 'pillion'), id) });
    }
    options.unshift({ value: '0', label: sprintf(__('The site’s own (form %d)', 'pillion'), own) });
    return el(
      InspectorControls,
      null,
      el(
        PanelBody,
        { title: __('Form', 'pillion') },
        el(SelectControl, {
          __nextHasNoMarginBottom: true,
          __next40pxDefaultSize: true,
          label: __('Form visitors fill in', 'pillion'),
          help: __(
            'Its fields are edited with the form itself. The site’s own is named with the site’s texts.',
            'pillion',
          ),
          value: String(id),
          options,
          onChange: (value) => onChange(Number(value)),
        }),
      ),
    );
  };

  const SignUp = (block) => {
    const wide = bindPicture(block, 'picture', __('picture', 'pillion'));
    const upright = bindPicture(block, 'portrait', __('upright picture', 'pillion'));
    const id = block.attributes.form_id;
    const own = Number(useStrings().form?.form_id) || 1;
    const form = useAnswer(`/gf/v2/forms/${id || own}`);
    return el(
      'section',
      useSection('sign-up'),
      el(
        'div',
        { className: 'pillion-sign-up-head' },
        el(Kicker, { block }),
        el(Headline, { block, placeholder: __('Write the headline', 'pillion') }),
      ),
      el(
        'div',
        { className: 'pillion-form' },
        el(Line, {
          ...bind(block, 'text'),
          className: 'pillion-form-text',
          placeholder: __('Say what happens after signing up', 'pillion'),
          'aria-label': __('Text above the form', 'pillion'),
        }),
        el(FormPreview, { form, id: id || own }),
      ),
      el(Backdrop, { id: wide.id }, el(PictureTools, wide), el(PictureTools, upright)),
      el(FormPanel, { id, own, onChange: (value) => block.setAttributes({ form_id: value }) }),
      el(PicturePanel, {
        pictures: [
          { ...wide, hint: __('Lies behind the section where the scene is not shown.', 'pillion') },
          { ...upright, hint: __('A crop for phones held upright.', 'pillion') },
        ],
      }),
    );
  };

  register('sign-up', SignUp);
}
