/**
 * Shared parts of the section editor: text fields, buttons, the guide in the sidebar, data from the site. The fields of a
 * section come from its declaration (`sections.json`), which the server prints into the editor.
 */
const { useEffect, useState } = wp.element;
const { useSelect } = wp.data;
const { __ } = wp.i18n;
const { Button, PanelBody, ToolbarButton } = wp.components;
const { BlockControls, InspectorControls, RichText, useBlockProps } = wp.blockEditor;

export const el = wp.element.createElement;

/** Formats of a headline; must match `SectionFields::INLINE` in PHP. */
export const HEADLINE_FORMATS = ['core/italic', 'core/bold', 'pillion/muted'];

/** Icons on a 24 px grid. The dashicons font is not loaded in the editor's frame. */
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

export const icon = (name: keyof typeof ICONS) =>
  el(
    'svg',
    { viewBox: '0 0 24 24', width: 24, height: 24, 'aria-hidden': true, focusable: false },
    el('path', { d: ICONS[name], fill: 'currentColor' }),
  );

/** Whether a block is a preview in the inserter or a pattern, where WordPress shows no placeholders. */
export const useIsPreview = () =>
  useSelect((select) => {
    const settings = select('core/block-editor').getSettings();
    return Boolean(settings.isPreviewMode ?? settings.__unstableIsPreviewMode);
  }, []);

/** A text field. In a preview it shows its placeholder if it is empty. */
export const Field = (props: ElementProperties) => {
  const isPreview = useIsPreview();
  return el(RichText, { ...props, value: props.value || (isPreview ? props.placeholder : '') });
};

/** A text without formats. */
export const Line = (props: ElementProperties) =>
  el(Field, {
    tagName: 'p',
    allowedFormats: [],
    disableLineBreaks: true,
    withoutInteractiveFormatting: true,
    ...props,
  });

/** Props that bind a field to an attribute of a block; `identifier` connects undo and the caret to it. */
export const bind = (block: SectionBlock, name: string) => ({
  identifier: name,
  value: block.attributes[name],
  onChange: (value: unknown) => block.setAttributes({ [name]: value }),
});

interface FormatButtonProps {
  isActive: boolean;
  value: object;
  onChange(value: object): void;
  onFocus(): void;
}

/** The button for the quieter colour, only in the plugin's blocks: in other blocks `mark` is a highlight. */
const MutedButton = ({ isActive, value, onChange, onFocus }: FormatButtonProps) => {
  const isPillionBlock = useSelect((select) => {
    const block = select('core/block-editor').getSelectedBlock();
    return Boolean(block?.name.startsWith('pillion/'));
  }, []);
  if (!isPillionBlock) {
    return null;
  }
  return el(
    BlockControls,
    { group: 'inline' },
    el(ToolbarButton, {
      icon: icon('back'),
      title: __('Quieter colour', 'pillion'),
      isActive,
      onClick: () => {
        onChange(wp.richText.toggleFormat(value, { type: 'pillion/muted' }));
        onFocus();
      },
    }),
  );
};

wp.richText.registerFormatType('pillion/muted', {
  title: __('Quieter colour', 'pillion'),
  tagName: 'mark',
  className: null,
  edit: MutedButton,
});

/** A button that adds an item. */
export const Add = ({ label, onClick }: { label: string; onClick: () => void }) =>
  useIsPreview() ? null : el(Button, { className: 'pillion-button pillion-add', onClick }, icon('add'), label);

/** A small button with an icon. @param onClick Null: the button is disabled. */
export const Tool = ({
  name,
  label,
  onClick,
}: {
  name: keyof typeof ICONS;
  label: string;
  onClick: (() => void) | null;
}) => el(Button, { icon: icon(name), label, disabled: !onClick, onClick: onClick || undefined, showTooltip: true });

/** The description of a section in the sidebar. */
export const Guide = ({ children }: { children: string }) =>
  el(InspectorControls, null, el(PanelBody, { title: __('How it works', 'pillion') }, el('p', null, children)));

/** Pending and received responses by path. */
const responses = new Map();

/** One request per path, shared by all blocks. Resolves to null if it fails; then the next block sends it again. */
const requestOnce = (path: string) => {
  if (!responses.has(path)) {
    const response = wp.apiFetch({ path }).catch(() => {
      responses.delete(path);
      return null;
    });
    responses.set(path, response);
  }
  return responses.get(path);
};

/** Response of a REST route: undefined until it arrives, null if it fails. */
export const useAnswer = (path: string) => {
  const [answer, setAnswer] = useState(undefined);
  useEffect(() => {
    let isCurrent = true;
    setAnswer(undefined);
    requestOnce(path).then((value: unknown) => isCurrent && setAnswer(value));
    return () => {
      isCurrent = false;
    };
  }, [path]);
  return answer;
};

/** Texts and settings of the site as the site reads them; empty until they arrive. */
export const useStrings = () => useAnswer('/gusto/options') || {};

/** Wrapper of a section. `alignfull` gives it the full width of the editor in every theme. */
export const useSection = (name: string) => useBlockProps({ className: `pillion-section pillion-${name} alignfull` });

/** Declarations of all sections. Screens that load blocks in another way may lack them; then there are no sections. */
export const declared: Declarations = window.pillionDeclared || { sections: {}, items: {}, longestDrawing: 0 };

/** Editor components by the name of their section. */
export const edits = new Map();

/**
 * Replaces a section's default editor.
 * @param name The section's folder.
 * @param edit React component; gets the props of the block as `block`, and `declaration`.
 * @param options For a section without a declaration, for example of another plugin: whether it has inner blocks. Its
 * block is registered at once and gets only the props.
 */
export const register = (name: string, edit: unknown, { hasItems = false }: { hasItems?: boolean } = {}) =>
  declared.sections[name]
    ? edits.set(name, edit)
    : wp.blocks.registerBlockType(`pillion/${name}`, {
        edit,
        save: hasItems ? () => el(wp.blockEditor.InnerBlocks.Content) : () => null,
      });
