/**
 * The sections in the block editor: texts typed in place, pictures from the media library, items added, moved, removed.
 *
 * Plain script on WordPress' own `wp.*` globals, so that the plugin has no build and an agency can read what runs. Names,
 * attributes and texts of the inserter come from the block.json files, which the server hands to the editor.
 */
// A block rather than a function around it all: nothing here becomes a global.
{
  const wp = window.wp;
  const { createElement: el, Fragment, useEffect, useRef, useState } = wp.element;
  const { useSelect, useDispatch } = wp.data;
  const { __, sprintf } = wp.i18n;
  const { Button, PanelBody, SelectControl, Spinner, TextareaControl, ToolbarButton } = wp.components;
  const {
    BlockControls,
    InnerBlocks,
    InspectorControls,
    MediaPlaceholder,
    MediaUpload,
    MediaUploadCheck,
    RichText,
    useBlockProps,
    useInnerBlocksProps,
  } = wp.blockEditor;

  /** Marks a headline may carry; `SectionFields::INLINE` in PHP lets the same through. */
  const HEADLINE_FORMATS = ['core/italic', 'core/bold', 'pillion/muted'];

  /** Icons on a 24 px grid. The dashicons font is not there inside the editor's frame. */
  const ICONS = {
    up: 'M12 5 5.5 11.5 6.6 12.6 11.25 7.9V19h1.5V7.9l4.65 4.7 1.1-1.1z',
    down: 'M12 19l6.5-6.5-1.1-1.1-4.65 4.7V5h-1.5v11.1L6.6 11.4l-1.1 1.1z',
    left: 'M5 12l6.5 6.5 1.1-1.1-4.7-4.65H19v-1.5H7.9l4.7-4.65-1.1-1.1z',
    right: 'M19 12l-6.5-6.5-1.1 1.1 4.7 4.65H5v1.5h11.1l-4.7 4.65 1.1 1.1z',
    remove: 'M13.1 12l4.7-4.7-1.1-1.1-4.7 4.7-4.7-4.7-1.1 1.1 4.7 4.7-4.7 4.7 1.1 1.1 4.7-4.7 4.7 4.7 1.1-1.1z',
    add: 'M11.25 11.25V5h1.5v6.25H19v1.5h-6.25V19h-1.5v-6.25H5v-1.5z',
    picture: 'M4 5h16v14H4zm1.5 1.5v8.2l3.9-3.9 4 4 2.4-2.4 2.7 2.7V6.5zm0 10.4v.6h13v-1.3l-2.7-2.7-2.4 2.4-4-4z',
    back: 'M12 4a8 8 0 100 16 8 8 0 000-16zm0 14.5a6.5 6.5 0 010-13z',
  };

  const icon = (name) =>
    el(
      'svg',
      { viewBox: '0 0 24 24', width: 24, height: 24, 'aria-hidden': true, focusable: false },
      el('path', { d: ICONS[name], fill: 'currentColor' }),
    );

  // ---------------------------------------------------------------------------------------------------------- text

  /** Whether a block is only shown, in the inserter or among patterns, where WordPress draws no placeholders. */
  const useIsPreview = () =>
    useSelect((select) => {
      const settings = select('core/block-editor').getSettings();
      return Boolean(settings.isPreviewMode ?? settings.__unstableIsPreviewMode);
    }, []);

  /** A field typed in place. A preview shows what belongs there instead of nothing. */
  const Field = (props) => {
    const preview = useIsPreview();
    return el(RichText, { ...props, value: props.value || (preview ? props.placeholder : '') });
  };

  /** A text without marks. */
  const Line = (props) =>
    el(Field, {
      tagName: 'p',
      allowedFormats: [],
      disableLineBreaks: true,
      withoutInteractiveFormatting: true,
      ...props,
    });

  /** Props that bind a field to one attribute of a block; `identifier` ties undo and the caret to it. */
  const bind = (block, name) => ({
    identifier: name,
    value: block.attributes[name],
    onChange: (value) => block.setAttributes({ [name]: value }),
  });

  const Headline = ({ block, placeholder }) =>
    el(Field, {
      ...bind(block, 'heading'),
      tagName: 'h2',
      className: 'pillion-heading',
      allowedFormats: HEADLINE_FORMATS,
      placeholder,
      'aria-label': __('Headline', 'pillion'),
    });

  const Kicker = ({ block }) =>
    el(Line, {
      ...bind(block, 'kicker'),
      className: 'pillion-kicker',
      placeholder: __('Short line above', 'pillion'),
      'aria-label': __('Short line above the headline', 'pillion'),
    });

  /** The button that makes words of a headline step back. Only in our own blocks: elsewhere `mark` is a highlight. */
  const MutedButton = ({ isActive, value, onChange, onFocus }) => {
    const ours = useSelect((select) => {
      const block = select('core/block-editor').getSelectedBlock();
      return Boolean(block?.name.startsWith('pillion/'));
    }, []);
    if (!ours) {
      return null;
    }
    return el(
      BlockControls,
      { group: 'inline' },
      el(ToolbarButton, {
        icon: icon('back'),
        title: __('Step back (quieter colour)', 'pillion'),
        isActive,
        onClick: () => {
          onChange(wp.richText.toggleFormat(value, { type: 'pillion/muted' }));
          onFocus();
        },
      }),
    );
  };

  wp.richText.registerFormatType('pillion/muted', {
    title: __('Step back', 'pillion'),
    tagName: 'mark',
    className: null,
    edit: MutedButton,
  });

  // ------------------------------------------------------------------------------------------------------ pictures

  const VIEW = { context: 'view' };

  const UPRIGHT_HINT = __(
    'A crop for phones held upright, 860 × 1860. Without one the wide picture serves both.',
    'pillion',
  );

  /**
   * What the media library knows about a picture.
   * @param {number} id Attachment id, 0 for none.
   * @returns {{ state: 'none' | 'loading' | 'gone' | 'here', url?: string, alt?: string }}
   */
  const usePicture = (id) =>
    useSelect(
      (select) => {
        if (!id) {
          return { state: 'none' };
        }
        const query = ['postType', 'attachment', id, VIEW];
        const record = select('core').getEntityRecord(...query);
        if (record) {
          const sizes = record.media_details?.sizes || {};
          const url = (sizes.large || sizes.full || { source_url: record.source_url }).source_url;
          return { state: 'here', url, alt: record.alt_text };
        }
        return { state: select('core').hasFinishedResolution('getEntityRecord', query) ? 'gone' : 'loading' };
      },
      [id],
    );

  /** A button that opens the media library. */
  const Library = ({ id, onChange, children, className, label }) =>
    el(
      MediaUploadCheck,
      null,
      el(MediaUpload, {
        allowedTypes: ['image'],
        value: id || undefined,
        onSelect: (media) => onChange(media.id),
        render: ({ open }) => el(Button, { className, onClick: open, 'aria-label': label }, children),
      }),
    );

  /** Name of a picture with what can be done to it: choose, or replace and remove. Lies on the picture itself. */
  const PictureTools = ({ id, name, onChange }) => {
    const picture = usePicture(id);
    if (useIsPreview()) {
      return null;
    }
    if (picture.state === 'none') {
      return el(
        'div',
        { className: 'pillion-tools' },
        el(
          Library,
          { id, onChange, className: 'pillion-button', label: sprintf(__('Add %s', 'pillion'), name) },
          icon('picture'),
          sprintf(__('Add %s', 'pillion'), name),
        ),
      );
    }
    return el(
      'div',
      { className: 'pillion-tools' },
      el('span', { className: 'pillion-tools-name' }, name, el(PictureState, { picture })),
      el(
        Library,
        { id, onChange, className: 'pillion-button', label: sprintf(__('Replace %s', 'pillion'), name) },
        __('Replace', 'pillion'),
      ),
      el(
        Button,
        {
          className: 'pillion-button',
          onClick: () => onChange(0),
          'aria-label': sprintf(__('Remove %s', 'pillion'), name),
        },
        __('Remove', 'pillion'),
      ),
    );
  };

  /** What an editor should know about a picture at a glance. */
  const PictureState = ({ picture }) => {
    if (picture.state === 'gone') {
      return el('b', null, __('is no longer in the media library', 'pillion'));
    }
    return picture.state === 'here' && !picture.alt ? el('b', null, __('no description', 'pillion')) : null;
  };

  /**
   * A picture that has a frame of its own in the section. An empty frame takes uploads and dropped files.
   * `crop` is a second picture for upright screens: what the frame holds, cut otherwise, so it is only named here.
   */
  const Framed = ({ id, name, hint, onChange, className, crop }) => {
    const picture = usePicture(id);
    const preview = useIsPreview();
    const classes = `pillion-frame ${className}`;
    if (picture.state === 'none' && !preview) {
      return el(
        'div',
        { className: classes },
        el(MediaPlaceholder, {
          icon: icon('picture'),
          labels: { title: name, instructions: hint },
          allowedTypes: ['image'],
          accept: 'image/*',
          onSelect: (media) => onChange(media.id),
        }),
      );
    }
    return el(
      'figure',
      { className: classes },
      picture.state === 'loading' && el(Spinner),
      picture.state === 'here' && el('img', { src: picture.url, alt: picture.alt }),
      el(
        'div',
        { className: 'pillion-frame-tools' },
        el(PictureTools, { id, name, onChange }),
        crop && el(PictureTools, crop),
      ),
    );
  };

  /** A picture that lies behind a section's text, with the tools of all the section's pictures in its corner. */
  const Backdrop = ({ id, children }) => {
    const picture = usePicture(id);
    return el(
      Fragment,
      null,
      picture.state === 'here' && el('img', { className: 'pillion-backdrop', src: picture.url, alt: '' }),
      el('div', { className: 'pillion-corner' }, children),
    );
  };

  /** Props that bind a picture to one attribute of a block. */
  const bindPicture = (block, attribute, name) => ({
    id: block.attributes[attribute],
    name,
    onChange: (id) => block.setAttributes({ [attribute]: id }),
  });

  /** The description of a picture. It belongs to the media library, so it is saved there and at once. */
  const Description = ({ id, name }) => {
    const { alt } = usePicture(id);
    const [typed, setTyped] = useState(null);
    const { saveEntityRecord, invalidateResolution } = useDispatch('core');
    const { createNotice } = useDispatch('core/notices');
    const save = async () => {
      if (typed === null || typed === alt) {
        return;
      }
      const saved = await saveEntityRecord('postType', 'attachment', { id, alt_text: typed });
      if (!saved) {
        createNotice('error', __('The description could not be saved.', 'pillion'), { type: 'snackbar' });
        return;
      }
      invalidateResolution('getEntityRecord', ['postType', 'attachment', id, VIEW]);
      createNotice('success', __('Description saved in the media library.', 'pillion'), { type: 'snackbar' });
    };
    return el(TextareaControl, {
      __nextHasNoMarginBottom: true,
      label: sprintf(__('Description of %s', 'pillion'), name),
      help: __(
        'Read aloud to those who cannot see it. Kept in the media library. Leave it empty where the picture only decorates.',
        'pillion',
      ),
      rows: 2,
      value: typed === null ? alt || '' : typed,
      onChange: setTyped,
      onBlur: save,
    });
  };

  /** Pictures of a block in the sidebar, for whoever looks there first. */
  const PicturePanel = ({ pictures }) =>
    el(
      InspectorControls,
      null,
      el(
        PanelBody,
        { title: __('Pictures', 'pillion') },
        pictures.map((picture) =>
          el(
            'div',
            { key: picture.name, className: 'pillion-sidebar-picture' },
            el('p', null, el('strong', null, picture.name), ' ', picture.hint),
            el(SidebarThumb, picture),
            el(PictureTools, picture),
            Boolean(picture.id) && el(Description, { key: picture.id, id: picture.id, name: picture.name }),
          ),
        ),
      ),
    );

  const SidebarThumb = ({ id }) => {
    const picture = usePicture(id);
    return picture.state === 'here' ? el('img', { src: picture.url, alt: '' }) : null;
  };

  /** What a section is and how it behaves, in the sidebar. */
  const Guide = ({ children }) =>
    el(InspectorControls, null, el(PanelBody, { title: __('How it works', 'pillion') }, el('p', null, children)));

  // ---------------------------------------------------------------------------------------------------------- rows

  const moved = (list, from, to) => {
    const copy = list.slice();
    copy.splice(to, 0, copy.splice(from, 1)[0]);
    return copy;
  };

  /** Pairs of label and value, each typed in place, with tools to move and remove it. */
  const Rows = ({ rows, onChange, className, names }) => {
    const list = useRef();
    const [focus, setFocus] = useState(-1);
    useEffect(() => {
      const target = list.current?.children[focus]?.querySelector('[contenteditable]');
      if (target) {
        target.focus();
        setFocus(-1);
      }
    }, [focus, rows.length]);
    const change = (index, part) => onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
    return el(
      'div',
      { className },
      el(
        'div',
        { className: 'pillion-rows', ref: list },
        rows.map((row, index) =>
          el(Row, {
            key: index,
            row,
            names,
            onChange: (part) => change(index, part),
            onBefore: index > 0 ? () => onChange(moved(rows, index, index - 1)) : null,
            onAfter: index < rows.length - 1 ? () => onChange(moved(rows, index, index + 1)) : null,
            onRemove: () => onChange(rows.filter((_, at) => at !== index)),
          }),
        ),
      ),
      el(Add, {
        label: names.add,
        onClick: () => {
          onChange(rows.concat({ label: '', value: '' }));
          setFocus(rows.length);
        },
      }),
    );
  };

  const Row = ({ row, names, onChange, onBefore, onAfter, onRemove }) =>
    el(
      'div',
      { className: 'pillion-row' },
      el(Line, {
        tagName: 'div',
        className: 'pillion-row-label',
        value: row.label || '',
        onChange: (label) => onChange({ label }),
        placeholder: names.label,
        'aria-label': names.label,
      }),
      el(Line, {
        tagName: 'div',
        className: 'pillion-row-value',
        value: row.value || '',
        onChange: (value) => onChange({ value }),
        placeholder: names.value,
        'aria-label': names.value,
      }),
      el(
        'div',
        { className: 'pillion-row-tools' },
        el(Tool, { name: names.icons[0], label: names.before, onClick: onBefore }),
        el(Tool, { name: names.icons[1], label: names.after, onClick: onAfter }),
        el(Tool, { name: 'remove', label: names.remove, onClick: onRemove }),
      ),
    );

  /** A button that adds one more of what stands before it. */
  const Add = ({ label, onClick }) =>
    useIsPreview() ? null : el(Button, { className: 'pillion-button pillion-add', onClick }, icon('add'), label);

  const Tool = ({ name, label, onClick }) =>
    el(Button, { icon: icon(name), label, disabled: !onClick, onClick: onClick || undefined, showTooltip: true });

  const FACTS = {
    add: __('Add a fact', 'pillion'),
    label: __('What', 'pillion'),
    value: __('How much, where, when', 'pillion'),
    icons: ['left', 'right'],
    before: __('Move fact left', 'pillion'),
    after: __('Move fact right', 'pillion'),
    remove: __('Remove fact', 'pillion'),
  };

  const FIGURES = {
    add: __('Add a figure', 'pillion'),
    label: __('What is measured', 'pillion'),
    value: __('Figure and unit', 'pillion'),
    icons: ['up', 'down'],
    before: __('Move figure up', 'pillion'),
    after: __('Move figure down', 'pillion'),
    remove: __('Remove figure', 'pillion'),
  };

  // ---------------------------------------------------------------------------------------------- what the site says

  const asked = new Map();

  /** One request per path and page load, however many blocks ask. Resolves with null where the answer is refused. */
  const ask = (path) => {
    if (!asked.has(path)) {
      asked.set(
        path,
        wp.apiFetch({ path }).catch(() => null),
      );
    }
    return asked.get(path);
  };

  /** What a REST route answers: undefined until it does, null where it refuses. */
  const useAnswer = (path) => {
    const [answer, setAnswer] = useState(undefined);
    useEffect(() => {
      let wanted = true;
      setAnswer(undefined);
      ask(path).then((value) => wanted && setAnswer(value));
      return () => {
        wanted = false;
      };
    }, [path]);
    return answer;
  };

  const useStrings = () => useAnswer('/gusto/options') || {};

  // ------------------------------------------------------------------------------------------------------- sections

  /** Wrapper of a section. `alignfull` gives it the editor's whole width in every theme. */
  const useSection = (name) => useBlockProps({ className: `pillion-section pillion-${name} alignfull` });

  const Hero = (block) => {
    const wide = bindPicture(block, 'picture', __('picture', 'pillion'));
    const upright = bindPicture(block, 'portrait', __('upright picture', 'pillion'));
    const labels = useStrings().labels || {};
    return el(
      'section',
      useSection('hero'),
      el(Headline, { block, placeholder: __('Write the headline', 'pillion') }),
      el(Backdrop, { id: wide.id }, el(PictureTools, wide), el(PictureTools, upright)),
      Boolean(labels.scroll) && el('p', { className: 'pillion-scroll', 'aria-hidden': true }, labels.scroll),
      el(
        Guide,
        null,
        __(
          'The headline of the page. Make a word italic to turn it into the other typeface; press Enter for a new line. The line at the bottom is one of the site’s texts: Pillion → Texts.',
          'pillion',
        ),
      ),
      el(PicturePanel, {
        pictures: [
          { ...wide, hint: __('Fills the screen. 1920 × 1200 pixels or more.', 'pillion') },
          {
            ...upright,
            hint: UPRIGHT_HINT,
          },
        ],
      }),
    );
  };

  const Statement = (block) => {
    const behind = bindPicture(block, 'picture', __('picture', 'pillion'));
    return el(
      'section',
      useSection('statement'),
      el(Kicker, { block }),
      el(Headline, { block, placeholder: __('Write a few sentences, set large', 'pillion') }),
      el(Rows, {
        className: 'pillion-facts',
        rows: block.attributes.facts,
        names: FACTS,
        onChange: (facts) => block.setAttributes({ facts }),
      }),
      el(Backdrop, { id: behind.id }, el(PictureTools, behind)),
      el(
        Guide,
        null,
        __(
          'Italic turns a word into the other typeface. The button with the half circle makes words step back in a quieter colour.',
          'pillion',
        ),
      ),
      el(PicturePanel, {
        pictures: [{ ...behind, hint: __('Lies behind the text, on the right.', 'pillion') }],
      }),
    );
  };

  const Acts = (block) => {
    const { insertBlock } = useDispatch('core/block-editor');
    const row = useInnerBlocksProps(
      { className: 'pillion-acts-row' },
      {
        allowedBlocks: ['pillion/act'],
        template: [['pillion/act'], ['pillion/act'], ['pillion/act']],
        orientation: 'horizontal',
        renderAppender: false,
      },
    );
    return el(
      'section',
      useSection('acts'),
      el(Headline, { block, placeholder: __('Heading of the row (read aloud, not shown)', 'pillion') }),
      el('div', row),
      el(Add, {
        label: __('Add an act', 'pillion'),
        onClick: () => insertBlock(wp.blocks.createBlock('pillion/act'), undefined, block.clientId),
      }),
      el(
        Guide,
        null,
        __(
          'A row of pictures, as many as you like; three stand best. Select one and use the arrows of its toolbar to move it.',
          'pillion',
        ),
      ),
    );
  };

  const Act = (block) => {
    const picture = bindPicture(block, 'picture', __('picture', 'pillion'));
    const upright = bindPicture(block, 'portrait', __('upright picture', 'pillion'));
    return el(
      'div',
      useBlockProps({ className: 'pillion-act' }),
      el(
        'div',
        { className: 'pillion-act-head' },
        el(Line, {
          ...bind(block, 'title'),
          tagName: 'h3',
          className: 'pillion-act-title',
          placeholder: __('Title', 'pillion'),
          'aria-label': __('Title', 'pillion'),
        }),
        el(Line, {
          ...bind(block, 'label'),
          className: 'pillion-act-label',
          placeholder: __('Label', 'pillion'),
          'aria-label': __('Label', 'pillion'),
        }),
      ),
      el(Line, {
        ...bind(block, 'text'),
        className: 'pillion-text',
        placeholder: __('A line of text', 'pillion'),
        'aria-label': __('Text', 'pillion'),
      }),
      el(Framed, {
        className: 'pillion-act-picture',
        hint: __('Wide, 1920 × 1200 pixels or more.', 'pillion'),
        crop: upright,
        ...picture,
      }),
      el(PicturePanel, {
        pictures: [
          { ...picture, hint: __('Wide, 1920 × 1200 pixels or more; what sticks out is cut.', 'pillion') },
          { ...upright, hint: UPRIGHT_HINT },
        ],
      }),
    );
  };

  const Feature = (block) => {
    const picture = bindPicture(block, 'picture', __('picture', 'pillion'));
    const detail = bindPicture(block, 'detail', __('detail', 'pillion'));
    return el(
      'section',
      useSection('feature'),
      el(
        'div',
        { className: 'pillion-feature-text' },
        el(Kicker, { block }),
        el(Headline, { block, placeholder: __('Write the headline', 'pillion') }),
        el(Line, {
          ...bind(block, 'text'),
          className: 'pillion-text',
          placeholder: __('A sentence or two', 'pillion'),
          'aria-label': __('Text', 'pillion'),
        }),
        el(Rows, {
          className: 'pillion-figures',
          rows: block.attributes.figures,
          names: FIGURES,
          onChange: (figures) => block.setAttributes({ figures }),
        }),
        el(Framed, { className: 'pillion-feature-detail', hint: __('A small one, closer.', 'pillion'), ...detail }),
      ),
      el(Framed, { className: 'pillion-feature-picture', hint: __('The large one.', 'pillion'), ...picture }),
      el(PicturePanel, {
        pictures: [
          { ...picture, hint: __('The large one.', 'pillion') },
          { ...detail, hint: __('A small one below the figures.', 'pillion') },
        ],
      }),
    );
  };

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

  /** The brand's mark. As a mask it takes the page's colour, and no script inside an SVG can run. */
  const Wordmark = () => {
    const { logo, brand } = useStrings();
    return el(
      'section',
      useSection('wordmark'),
      logo ? el(Mark, { source: `data:image/svg+xml,${encodeURIComponent(logo)}`, brand }) : el(BrandName, { brand }),
      el(Guide, null, __('The brand’s mark. It is one of the site’s texts: Pillion → Texts.', 'pillion')),
    );
  };

  const Mark = ({ source, brand }) =>
    el(
      'span',
      { className: 'pillion-mark', style: { WebkitMaskImage: `url("${source}")`, maskImage: `url("${source}")` } },
      el('img', { src: source, alt: brand || '' }),
    );

  /** A brand without a mark, its name set across the width: a letter of the expanded type is about 0.75 em wide. */
  const BrandName = ({ brand }) => {
    const name = brand || __('The brand’s name', 'pillion');
    return el(
      'p',
      { className: 'pillion-mark-name', style: { fontSize: `${Math.min(20, 120 / name.length)}cqi` } },
      name,
    );
  };

  /**
   * The site shows a page without a template as plain text (R3), so a page that has sections and no template is asked
   * about before its editor wonders.
   */
  const TemplateReminder = () => {
    const wanted = useSelect((select) => {
      const { getCurrentPostType, getEditedPostAttribute, getEditorBlocks } = select('core/editor');
      const sections = getEditorBlocks().some((block) => block.name.startsWith('pillion/'));
      return sections && getCurrentPostType() === 'page' && !getEditedPostAttribute('template');
    }, []);
    const { createWarningNotice, removeNotice } = useDispatch('core/notices');
    const { editPost } = useDispatch('core/editor');
    useEffect(() => {
      if (!wanted) {
        removeNotice(REMINDER);
        return;
      }
      createWarningNotice(
        __('This page has sections, but no template: the site would show it as plain text.', 'pillion'),
        {
          id: REMINDER,
          actions: [
            { label: __('Use the Landing template', 'pillion'), onClick: () => editPost({ template: 'landing' }) },
          ],
        },
      );
    }, [wanted]);
    return null;
  };

  const REMINDER = 'pillion-template';

  wp.plugins.registerPlugin('pillion', { render: TemplateReminder });

  /** Everything lives in attributes; only the acts keep their inner blocks. */
  const SECTIONS = {
    hero: Hero,
    statement: Statement,
    acts: Acts,
    act: Act,
    feature: Feature,
    'sign-up': SignUp,
    wordmark: Wordmark,
  };

  for (const name of Object.keys(SECTIONS)) {
    wp.blocks.registerBlockType(`pillion/${name}`, {
      edit: SECTIONS[name],
      save: name === 'acts' ? () => el(InnerBlocks.Content) : () => null,
    });
  }
}
