// The panel for a page's theme in the block editor.
import { editorSlot, usePostMeta } from '../preview/kit.ts';

const { components, element, plugins } = wp;
/** `meta`: key of the theme. `themes`: labels by value. */
const { title, meta, themes } = window.pillionTheme ?? {};

function ThemePanel() {
  const [postMeta, setPostMeta] = usePostMeta();
  const themeSelect = element.createElement(components.SelectControl, {
    label: title,
    hideLabelFromVision: true,
    value: postMeta?.[meta] ?? '',
    options: Object.entries(themes).map(([value, label]) => ({ value, label })),
    onChange: (value) => setPostMeta({ ...postMeta, [meta]: value }),
    __nextHasNoMarginBottom: true,
    __next40pxDefaultSize: true,
  });
  return element.createElement(editorSlot('PluginDocumentSettingPanel'), { name: 'pillion-theme', title }, themeSelect);
}

if (meta) plugins.registerPlugin('pillion-theme', { render: ThemePanel });
