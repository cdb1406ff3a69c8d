// Panel beside a page in the block editor: its theme. No build: WordPress' own packages are globals.
const { components, coreData, data, editPost, editor, element, plugins } = window.wp;
const { title, meta, themes } = window.pillionTheme;

// Moved from one package to the other in WordPress 6.6.
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

plugins.registerPlugin('pillion-theme', { render: Theme });
