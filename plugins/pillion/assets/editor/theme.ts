// The panel for a page's theme in the block editor.
const { components, coreData, data, editPost, editor, element, plugins } = wp;
const { title, meta, themes } = window.pillionTheme ?? {};

// WordPress 6.6 moved the panel to another package.
const Panel = editor?.PluginDocumentSettingPanel ?? editPost.PluginDocumentSettingPanel;

function Theme() {
  const type = data.useSelect((select) => select('core/editor').getCurrentPostType(), []);
  const [values, setValues] = coreData.useEntityProp('postType', type, 'meta');
  const select = element.createElement(components.SelectControl, {
    label: title,
    hideLabelFromVision: true,
    value: values?.[meta] ?? '',
    options: Object.entries(themes).map(([value, label]) => ({ value, label })),
    onChange: (value) => setValues({ ...values, [meta]: value }),
    __nextHasNoMarginBottom: true,
    __next40pxDefaultSize: true,
  });
  return element.createElement(Panel, { name: 'pillion-theme', title }, select);
}

if (meta) plugins.registerPlugin('pillion-theme', { render: Theme });
