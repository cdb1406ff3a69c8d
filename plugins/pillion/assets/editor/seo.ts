// The panel in the block editor for search engines and shared links.
const { blockEditor, components, coreData, data, editPost, editor, element, plugins } = wp;
const { meta, texts } = window.pillionSeo ?? {};
const { createElement } = element;

// WordPress 6.6 moved the panel to another package.
const Panel = editor?.PluginDocumentSettingPanel ?? editPost.PluginDocumentSettingPanel;
const plain = { __nextHasNoMarginBottom: true, __next40pxDefaultSize: true };

/** The chosen picture, with buttons to choose and remove it. */
function Picture({ id, onChange }: { id: number; onChange: (id: number) => void }) {
  const picture = data.useSelect((select) => (id ? select('core').getMedia(id) : null), [id]);
  const open = ({ open }: { open: () => void }) =>
    createElement(components.Button, { variant: 'secondary', onClick: open }, texts.choose);
  const image =
    picture &&
    createElement('img', {
      src: picture.source_url,
      alt: picture.alt_text,
      style: { display: 'block', maxWidth: '100%', marginBottom: '8px' },
    });
  const choose = createElement(blockEditor.MediaUpload, {
    allowedTypes: ['image'],
    value: id || undefined,
    onSelect: (chosen) => onChange(chosen.id),
    render: open,
  });
  const remove =
    id > 0 &&
    createElement(
      components.Button,
      { variant: 'link', isDestructive: true, onClick: () => onChange(0) },
      texts.remove,
    );
  const buttons = createElement(components.Flex, { justify: 'flex-start', wrap: true }, choose, remove);
  return createElement(
    components.BaseControl,
    { id: 'pillion-seo-picture', label: texts.picture, help: texts.pictureHelp, __nextHasNoMarginBottom: true },
    image,
    createElement(blockEditor.MediaUploadCheck, null, buttons),
  );
}

function SeoPanel() {
  const type = data.useSelect((select) => select('core/editor').getCurrentPostType(), []);
  const [values, setValues] = coreData.useEntityProp('postType', type, 'meta');
  const set = (name: string) => (value: unknown) => setValues({ ...values, [meta[name]]: value });
  const about = (name: string) => ({ ...plain, label: texts[name], help: texts[`${name}Help`], onChange: set(name) });
  return createElement(
    Panel,
    { name: 'pillion-seo', title: texts.panel },
    createElement(
      components.Flex,
      { direction: 'column', gap: 4 },
      texts.beside && createElement('p', { style: { margin: 0 } }, texts.beside),
      createElement(components.TextControl, { ...about('title'), value: values?.[meta.title] ?? '' }),
      createElement(components.TextareaControl, {
        ...about('description'),
        rows: 3,
        value: values?.[meta.description] ?? '',
      }),
      createElement(Picture, { id: values?.[meta.picture] ?? 0, onChange: set('picture') }),
      createElement(components.ToggleControl, { ...about('noindex'), checked: values?.[meta.noindex] === true }),
    ),
  );
}

if (meta) plugins.registerPlugin('pillion-seo', { render: SeoPanel });
