// The panel in the block editor for search engines and shared links.
import { editorSlot, usePostMeta } from '../preview/kit.ts';

const { blockEditor, components, data, element, plugins } = wp;
/** `meta`: keys by field. `texts`: labels by field, and those of the panel. */
const { meta, texts } = window.pillionSeo ?? {};
const { createElement } = element;

const CONTROL_STYLE = { __nextHasNoMarginBottom: true, __next40pxDefaultSize: true };

/** The chosen picture, with buttons to choose and remove it. @param id Attachment id, 0 for none. */
function PicturePicker({ id, onChange }: { id: number; onChange: (id: number) => void }) {
  // In the default context `edit` WordPress refuses authors the pictures of other users.
  const picture = data.useSelect((select) => (id ? select('core').getMedia(id, { context: 'view' }) : null), [id]);
  const image =
    picture &&
    createElement('img', {
      src: picture.source_url,
      alt: picture.alt_text,
      style: { display: 'block', maxWidth: '100%', marginBottom: '8px' },
    });
  const chooseButton = createElement(blockEditor.MediaUpload, {
    allowedTypes: ['image'],
    value: id || undefined,
    onSelect: (media) => onChange(media.id),
    render: ({ open }: { open: () => void }) =>
      createElement(components.Button, { variant: 'secondary', onClick: open }, texts.choose),
  });
  const removeButton =
    id > 0 &&
    createElement(
      components.Button,
      { variant: 'link', isDestructive: true, onClick: () => onChange(0) },
      texts.remove,
    );
  const buttons = createElement(components.Flex, { justify: 'flex-start', wrap: true }, chooseButton, removeButton);
  return createElement(
    components.BaseControl,
    { id: 'pillion-seo-picture', label: texts.picture, help: texts.pictureHelp, __nextHasNoMarginBottom: true },
    image,
    createElement(blockEditor.MediaUploadCheck, null, buttons),
  );
}

function SeoPanel() {
  const [postMeta, setPostMeta] = usePostMeta();
  const fieldValue = (field: string) => postMeta?.[meta[field]];
  const setterOf = (field: string) => (value: unknown) => setPostMeta({ ...postMeta, [meta[field]]: value });
  const controlProps = (field: string) => ({
    ...CONTROL_STYLE,
    label: texts[field],
    help: texts[`${field}Help`],
    onChange: setterOf(field),
  });
  const description = { ...controlProps('description'), rows: 3, value: fieldValue('description') ?? '' };
  return createElement(
    editorSlot('PluginDocumentSettingPanel'),
    { name: 'pillion-seo', title: texts.panel },
    createElement(
      components.Flex,
      { direction: 'column', gap: 4 },
      texts.yoastNotice && createElement('p', { style: { margin: 0 } }, texts.yoastNotice),
      createElement(components.TextControl, { ...controlProps('title'), value: fieldValue('title') ?? '' }),
      createElement(components.TextareaControl, description),
      createElement(PicturePicker, { id: fieldValue('picture') ?? 0, onChange: setterOf('picture') }),
      createElement(components.ToggleControl, { ...controlProps('noindex'), checked: fieldValue('noindex') === true }),
    ),
  );
}

if (meta) plugins.registerPlugin('pillion-seo', { render: SeoPanel });
