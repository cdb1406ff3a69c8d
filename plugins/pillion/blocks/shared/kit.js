/**
 * What every section's editing is made of: texts typed in place, buttons, the guide in the sidebar, what the site says.
 *
 * Plain script on WordPress' own `wp.*` globals, so that the plugin has no build and an agency can read what runs. What a
 * section is made of comes from its declaration (`sections.json`), which the server hands to the editor.
 */
window.pillionSections = {};

// A block rather than a function around it all: nothing here becomes a global but what is handed on.
{
  const wp = window.wp;
  const { createElement: el, useEffect, useState } = wp.element;
  const { useSelect } = wp.data;
  const { __ } = wp.i18n;
  const { Button, PanelBody, ToolbarButton } = wp.components;
  const { BlockControls, InspectorControls, RichText, useBlockProps } = wp.blockEditor;

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

  /** A button that adds one more of what stands before it. */
  const Add = ({ label, onClick }) =>
    useIsPreview() ? null : el(Button, { className: 'pillion-button pillion-add', onClick }, icon('add'), label);

  const Tool = ({ name, label, onClick }) =>
    el(Button, { icon: icon(name), label, disabled: !onClick, onClick: onClick || undefined, showTooltip: true });

  /** What a section is and how it behaves, in the sidebar. */
  const Guide = ({ children }) =>
    el(InspectorControls, null, el(PanelBody, { title: __('How it works', 'pillion') }, el('p', null, children)));

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

  /** Wrapper of a section. `alignfull` gives it the editor's whole width in every theme. */
  const useSection = (name) => useBlockProps({ className: `pillion-section pillion-${name} alignfull` });

  /** Where the page has none, as a screen that loads blocks in a way of its own, there are no sections to make. */
  const declared = window.pillionDeclared || { sections: {}, items: {}, longestDrawing: 0 };

  /** Editor parts by the name of their section. */
  const edits = new Map();

  /**
   * Gives a section an editing of its own, in the place of what its declaration would make.
   * @param {string} name The section's folder.
   * @param {Function} edit React component; gets the block's own props as `block`, and `declaration`.
   * @param {{ hasItems?: boolean }} options Of a section that is not declared, as another plugin's: whether it keeps
   *   blocks inside. Its block is registered at once, and gets the props alone.
   */
  const register = (name, edit, { hasItems = false } = {}) =>
    declared.sections[name]
      ? edits.set(name, edit)
      : window.wp.blocks.registerBlockType(`pillion/${name}`, {
          edit,
          save: hasItems ? () => el(window.wp.blockEditor.InnerBlocks.Content) : () => null,
        });

  Object.assign(window.pillionSections, {
    declared,
    edits,
    HEADLINE_FORMATS,
    el,
    icon,
    useIsPreview,
    Line,
    bind,
    Field,
    Guide,
    Add,
    Tool,
    useAnswer,
    useStrings,
    useSection,
    register,
  });
}
