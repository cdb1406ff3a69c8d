/**
 * The default editor of a section, built from its declaration: text fields, pictures and items. A section that needs
 * more has an `edit.js` in its folder, which can extend this editor.
 */
{
  const wp = window.wp;
  const { Fragment } = wp.element;
  const { __ } = wp.i18n;
  const { useBlockProps } = wp.blockEditor;
  const {
    el,
    Backdrop,
    Drawing,
    DrawingPanel,
    Field,
    Framed,
    Guide,
    HEADLINE_FORMATS,
    Items,
    Line,
    PicturePanel,
    PictureTools,
    Rows,
    bind,
    bindPicture,
    useSection,
  } = window.pillionSections;

  /**
   * Text fields in declared order. The title of an item comes first, because its editing begins there.
   * @param {Declared} declaration
   */
  const wordsOf = (declaration) => {
    const words = fieldsOf(declaration).filter(
      ({ kind, place }) => ['text', 'inline', 'paragraphs', 'rows'].includes(kind) || place === 'among',
    );
    const isFirst = (/** @type {SectionField} */ { as }) => (declaration.parent && as === 'title' ? 0 : 1);
    return words.sort((a, b) => isFirst(a) - isFirst(b));
  };

  /**
   * Fields of a declaration, each with its name as `member`.
   * @param {Declared} declaration @returns {SectionField[]}
   */
  const fieldsOf = ({ fields }) => Object.entries(fields).map(([member, field]) => ({ ...field, member }));

  /** @param {Declared} declaration @param {SectionField} field */
  const classOf = ({ name }, { member }) => `pillion-${name}-${member}`;

  /** Props of every text field. @param {SectionBlock} block @param {SectionField} field */
  const typed = (block, { member, label, placeholder }) => ({
    ...bind(block, member),
    placeholder: placeholder || label,
    'aria-label': label,
  });

  /** @param {FieldProps} props */
  const Text = ({ block, declaration, field }) => {
    const own = classOf(declaration, field);
    /** @type {Record<string, object>} */
    const looks = { kicker: { className: 'pillion-kicker' }, title: { className: own, tagName: 'h3' } };
    return el(Line, { ...typed(block, field), ...(looks[field.as] || { className: `pillion-text ${own}` }) });
  };

  /** @param {FieldProps} props */
  const Inline = ({ block, declaration, field }) =>
    el(Field, {
      ...typed(block, field),
      tagName: field.as === 'heading' ? 'h2' : 'p',
      className: field.as ? 'pillion-heading' : `pillion-text ${classOf(declaration, field)}`,
      allowedFormats: HEADLINE_FORMATS,
    });

  /** @param {FieldProps} props */
  const Paragraphs = ({ block, declaration, field }) =>
    el(Field, {
      ...typed(block, field),
      tagName: 'div',
      className: `pillion-text ${classOf(declaration, field)}`,
      allowedFormats: ['core/italic', 'core/bold'],
    });

  const ROWS = {
    add: __('Add a row', 'pillion'),
    label: __('Label', 'pillion'),
    value: __('Value', 'pillion'),
    before: __('Move row back', 'pillion'),
    after: __('Move row on', 'pillion'),
    remove: __('Remove row', 'pillion'),
  };

  /** @param {FieldProps} props */
  const Pairs = ({ block, field }) => {
    const isAcross = field.direction === 'across';
    return el(Rows, {
      className: isAcross ? 'pillion-facts' : 'pillion-figures',
      rows: block.attributes[field.member],
      names: { ...(field.names || ROWS), icons: isAcross ? ['left', 'right'] : ['up', 'down'] },
      onChange: (/** @type {unknown} */ rows) => block.setAttributes({ [field.member]: rows }),
    });
  };

  /** A declared picture or film, bound to its attribute. @param {SectionBlock} block @param {SectionField} field */
  const pictureOf = (block, field) => ({
    ...bindPicture(block, field.member, field.label),
    isFilm: field.kind === 'film',
    hint: field.help,
  });

  /**
   * Crops follow their picture, and a drawing is placed on the middle of its picture.
   * @param {SectionBlock} block @param {Declared} declaration @param {SectionField} field
   */
  const hasFocalPoint = (block, declaration, field) =>
    field.kind === 'picture' &&
    !field.cropOf &&
    !drawingsOf(declaration).some(({ member }) => block.attributes[member]);

  /** @param {FieldProps} props */
  const Frame = ({ block, declaration, field }) => {
    const crop = fieldsOf(declaration).find(({ cropOf }) => cropOf === field.member);
    return el(Framed, {
      ...pictureOf(block, field),
      className: classOf(declaration, field),
      hint: field.hint || field.help,
      crop: crop && pictureOf(block, crop),
    });
  };

  /** @type {Record<string, (props: FieldProps) => unknown>} */
  const EDITORS = { text: Text, inline: Inline, paragraphs: Paragraphs, rows: Pairs, picture: Frame };

  /** @param {SectionBlock} block @param {Declared} declaration @param {SectionField[]} fields */
  const each = (block, declaration, fields) =>
    fields.map((field) => el(EDITORS[field.kind], { key: field.member, block, declaration, field }));

  /** @param {FieldProps} props */
  const List = ({ block, declaration, field }) =>
    el(
      'div',
      { className: `pillion-${declaration.name}-items` },
      el(Items, {
        block,
        name: `pillion/${field.of}`,
        className: `pillion-items ${field.direction === 'across' ? 'pillion-items-across' : ''} pillion-${declaration.name}-row`,
        orientation: field.direction === 'across' ? 'horizontal' : undefined,
        begin: field.begin ?? 2,
        most: field.most,
        label: field.add || __('Add an item', 'pillion'),
      }),
    );

  /** The sidebar of a section: guide, pictures and drawings. @param {SectionProps} props */
  const Sidebar = ({ block, declaration }) =>
    el(
      Fragment,
      null,
      declaration.guide && el(Guide, null, declaration.guide),
      el(PicturePanel, {
        pictures: mediaOf(declaration).map((field) => ({
          ...pictureOf(block, field),
          hasFocalPoint: hasFocalPoint(block, declaration, field),
        })),
      }),
      drawingsOf(declaration).map((field) =>
        el(DrawingPanel, {
          key: field.member,
          field,
          svg: block.attributes[field.member],
          onChange: (/** @type {string} */ svg) => block.setAttributes({ [field.member]: svg }),
        }),
      ),
    );

  /** @param {Declared} declaration */
  const picturesOf = (declaration) => fieldsOf(declaration).filter(({ kind }) => kind === 'picture');
  /** @param {Declared} declaration */
  const mediaOf = (declaration) => fieldsOf(declaration).filter(({ kind }) => ['picture', 'film'].includes(kind));
  /** @param {Declared} declaration */
  const drawingsOf = (declaration) => fieldsOf(declaration).filter(({ kind }) => kind === 'drawing');

  /** @param {{ block: SectionBlock, pictures: SectionField[] }} props */
  const Behind = ({ block, pictures }) =>
    el(
      Backdrop,
      pictureOf(block, pictures.find(({ kind }) => kind === 'picture') ?? pictures[0]),
      pictures.map((field) => el(PictureTools, { key: field.member, ...pictureOf(block, field) })),
    );

  /** The content of a section or an item. @param {SectionProps} props */
  const Content = ({ block, declaration, children }) => {
    const fields = fieldsOf(declaration);
    const words = wordsOf(declaration);
    const behind = fields.filter(({ kind, place }) => place === 'behind' || kind === 'film');
    const beside = picturesOf(declaration).filter(({ place, cropOf }) => !place && !cropOf);
    return el(
      Fragment,
      null,
      words.length > 0 &&
        el('div', { className: `pillion-${declaration.name}-words` }, each(block, declaration, words)),
      each(block, declaration, beside),
      fields
        .filter(({ kind }) => kind === 'list')
        .map((field) => el(List, { key: field.member, block, declaration, field })),
      behind.length > 0 && el(Behind, { block, pictures: behind }),
      drawingsOf(declaration).map((field) => el(Drawing, { key: field.member, svg: block.attributes[field.member] })),
      children,
      el(Sidebar, { block, declaration }),
    );
  };

  /** A section, with the additions of its `edit.js`. @param {SectionProps} props */
  const Section = ({ block, declaration, children }) =>
    el('section', useSection(declaration.name), el(Content, { block, declaration }, children));

  /** @param {SectionProps} props */
  const Item = ({ block, declaration }) =>
    el('div', useBlockProps({ className: `pillion-${declaration.name}` }), el(Content, { block, declaration }));

  Object.assign(window.pillionSections, { Section, Item, Sidebar, Content });
}
