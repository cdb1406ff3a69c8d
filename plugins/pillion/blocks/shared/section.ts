/**
 * The default editor of a section, built from its declaration: text fields, pictures and items. A section that needs
 * more has an `edit.ts` or `edit.js` in its folder, which can extend this editor.
 */
import { Drawing, DrawingPanel } from './drawing.ts';
import { Items } from './items.ts';
import { bind, el, Field, Guide, HEADLINE_FORMATS, Line, useSection } from './kit.ts';
import { Backdrop, bindPicture, Framed, PicturePanel, PictureTools } from './pictures.ts';
import { Rows } from './rows.ts';

const { Fragment } = wp.element;
const { __, isRTL } = wp.i18n;
const { useBlockProps } = wp.blockEditor;

/** Text fields in declared order. The title of an item comes first, because its editing begins there. */
const textFieldsOf = (declaration: Declared) => {
  const textFields = fieldsOf(declaration).filter(
    ({ kind, place }) => ['text', 'inline', 'paragraphs', 'rows'].includes(kind) || place === 'among',
  );
  const rank = ({ as }: SectionField) => (declaration.parent && as === 'title' ? 0 : 1);
  return textFields.sort((a, b) => rank(a) - rank(b));
};

/** Fields of a declaration, each with its name as `member`. */
const fieldsOf = ({ fields }: Declared): SectionField[] =>
  Object.entries(fields).map(([member, field]) => ({ ...field, member }));

/** Class of a field, for the section's `edit.css`. */
const fieldClass = ({ name }: Declared, { member }: SectionField) => `pillion-${name}-${member}`;

/** Props of every text field. */
const textFieldProps = (block: SectionBlock, { member, label, placeholder }: SectionField) => ({
  ...bind(block, member),
  placeholder: placeholder || label,
  'aria-label': label,
});

const TextEditor = ({ block, declaration, field }: FieldProps) => {
  const className = fieldClass(declaration, field);
  const propsByRole: Record<string, object> = {
    kicker: { className: 'pillion-kicker' },
    title: { className, tagName: 'h3' },
  };
  return el(Line, {
    ...textFieldProps(block, field),
    ...(propsByRole[field.as] || { className: `pillion-text ${className}` }),
  });
};

const InlineEditor = ({ block, declaration, field }: FieldProps) =>
  el(Field, {
    ...textFieldProps(block, field),
    tagName: field.as === 'heading' ? 'h2' : 'p',
    className: field.as ? 'pillion-heading' : `pillion-text ${fieldClass(declaration, field)}`,
    allowedFormats: HEADLINE_FORMATS,
  });

const ParagraphsEditor = ({ block, declaration, field }: FieldProps) =>
  el(Field, {
    ...textFieldProps(block, field),
    tagName: 'div',
    className: `pillion-text ${fieldClass(declaration, field)}`,
    allowedFormats: ['core/italic', 'core/bold'],
  });

const ROW_LABELS = {
  add: __('Add a row', 'pillion'),
  label: __('Label', 'pillion'),
  value: __('Value', 'pillion'),
  before: __('Move row back', 'pillion'),
  after: __('Move row on', 'pillion'),
  remove: __('Remove row', 'pillion'),
};

/** Icons of the buttons that move a row back and on, if the rows are in one line. */
const ACROSS_ICONS = isRTL() ? ['right', 'left'] : ['left', 'right'];

const RowsEditor = ({ block, field }: FieldProps) => {
  const isAcross = field.direction === 'across';
  return el(Rows, {
    className: isAcross ? 'pillion-facts' : 'pillion-figures',
    rows: block.attributes[field.member],
    names: { ...(field.names || ROW_LABELS), icons: isAcross ? ACROSS_ICONS : ['up', 'down'] },
    onChange: (rows: unknown) => block.setAttributes({ [field.member]: rows }),
  });
};

/** Props of a declared picture or film. */
const pictureProps = (block: SectionBlock, field: SectionField) => ({
  ...bindPicture(block, field.member, field.label),
  isFilm: field.kind === 'film',
  hint: field.help,
});

/** Crops follow their picture, and a drawing is placed on the middle of its picture. */
const hasFocalPoint = (block: SectionBlock, declaration: Declared, field: SectionField) =>
  field.kind === 'picture' && !field.cropOf && !drawingsOf(declaration).some(({ member }) => block.attributes[member]);

const PictureEditor = ({ block, declaration, field }: FieldProps) => {
  const crop = fieldsOf(declaration).find(({ cropOf }) => cropOf === field.member);
  return el(Framed, {
    ...pictureProps(block, field),
    className: fieldClass(declaration, field),
    hint: field.hint || field.help,
    crop: crop && pictureProps(block, crop),
  });
};

const EDITORS: Record<string, (props: FieldProps) => unknown> = {
  text: TextEditor,
  inline: InlineEditor,
  paragraphs: ParagraphsEditor,
  rows: RowsEditor,
  picture: PictureEditor,
};

const renderFields = (block: SectionBlock, declaration: Declared, fields: SectionField[]) =>
  fields.map((field) => el(EDITORS[field.kind], { key: field.member, block, declaration, field }));

const ListEditor = ({ block, declaration, field }: FieldProps) =>
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

/** The sidebar of a section: guide, pictures and drawings. */
export const Sidebar = ({ block, declaration }: SectionProps) =>
  el(
    Fragment,
    null,
    declaration.guide && el(Guide, null, declaration.guide),
    el(PicturePanel, {
      pictures: mediaOf(declaration).map((field) => ({
        ...pictureProps(block, field),
        hasFocalPoint: hasFocalPoint(block, declaration, field),
      })),
    }),
    drawingsOf(declaration).map((field) =>
      el(DrawingPanel, {
        key: field.member,
        field,
        svg: block.attributes[field.member],
        onChange: (svg: string) => block.setAttributes({ [field.member]: svg }),
      }),
    ),
  );

const mediaOf = (declaration: Declared) =>
  fieldsOf(declaration).filter(({ kind }) => ['picture', 'film'].includes(kind));
const drawingsOf = (declaration: Declared) => fieldsOf(declaration).filter(({ kind }) => kind === 'drawing');

/** The picture behind a section's text, with the buttons of all its pictures there. A film is not shown. */
const BackdropPictures = ({ block, pictures }: { block: SectionBlock; pictures: SectionField[] }) =>
  el(
    Backdrop,
    pictureProps(block, pictures.find(({ kind }) => kind === 'picture') ?? pictures[0]),
    pictures.map((field) => el(PictureTools, { key: field.member, ...pictureProps(block, field) })),
  );

/** The content of a section or an item. */
export const Content = ({ block, declaration, children }: SectionProps) => {
  const fields = fieldsOf(declaration);
  const textFields = textFieldsOf(declaration);
  const backdrops = fields.filter(({ kind, place }) => place === 'behind' || kind === 'film');
  const framedPictures = fields.filter(({ kind, place, cropOf }) => kind === 'picture' && !place && !cropOf);
  return el(
    Fragment,
    null,
    textFields.length > 0 &&
      el('div', { className: `pillion-${declaration.name}-words` }, renderFields(block, declaration, textFields)),
    renderFields(block, declaration, framedPictures),
    fields
      .filter(({ kind }) => kind === 'list')
      .map((field) => el(ListEditor, { key: field.member, block, declaration, field })),
    backdrops.length > 0 && el(BackdropPictures, { block, pictures: backdrops }),
    drawingsOf(declaration).map((field) => el(Drawing, { key: field.member, svg: block.attributes[field.member] })),
    children,
    el(Sidebar, { block, declaration }),
  );
};

/** A section, with the additions of its `edit.ts`. */
export const Section = ({ block, declaration, children }: SectionProps) =>
  el('section', useSection(declaration.name), el(Content, { block, declaration }, children));

export const Item = ({ block, declaration }: SectionProps) =>
  el('div', useBlockProps({ className: `pillion-${declaration.name}` }), el(Content, { block, declaration }));
