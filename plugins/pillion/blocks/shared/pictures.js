/** Pictures from the media library: behind a section, in frames and in the sidebar, with their descriptions. */
{
  const wp = window.wp;
  const { Fragment, useState } = wp.element;
  const { useSelect, useDispatch } = wp.data;
  const { __, sprintf } = wp.i18n;
  const { Button, PanelBody, Spinner, TextareaControl } = wp.components;
  const { InspectorControls, MediaPlaceholder, MediaUpload, MediaUploadCheck } = wp.blockEditor;
  const { el, icon, useIsPreview } = window.pillionSections;

  const VIEW = { context: 'view' };

  /**
   * A picture of the media library.
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

  /** The name of a picture with its buttons: choose, or replace and remove. Shown on the picture. */
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

  /** A warning about a picture. */
  const PictureState = ({ picture }) => {
    if (picture.state === 'gone') {
      return el('b', null, __('is no longer in the media library', 'pillion'));
    }
    return picture.state === 'here' && !picture.alt ? el('b', null, __('no description', 'pillion')) : null;
  };

  /**
   * A picture in a frame. An empty frame accepts uploads and dropped files. `crop` is another crop of this picture for
   * upright screens; the frame shows its buttons only.
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

  /** A picture behind a section's text, with the buttons of all the section's pictures in the corner. */
  const Backdrop = ({ id, children }) => {
    const picture = usePicture(id);
    return el(
      Fragment,
      null,
      picture.state === 'here' && el('img', { className: 'pillion-backdrop', src: picture.url, alt: '' }),
      el('div', { className: 'pillion-corner' }, children),
    );
  };

  /** Props that bind a picture to an attribute of a block. */
  const bindPicture = (block, attribute, name) => ({
    id: block.attributes[attribute],
    name,
    onChange: (id) => block.setAttributes({ [attribute]: id }),
  });

  /** The description of a picture. It belongs to the media library, so it is saved at once. */
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
        createNotice('error', __('The description could not be saved. Please try again.', 'pillion'), {
          type: 'snackbar',
        });
        return;
      }
      invalidateResolution('getEntityRecord', ['postType', 'attachment', id, VIEW]);
      createNotice('success', __('Description saved in the media library.', 'pillion'), { type: 'snackbar' });
    };
    return el(TextareaControl, {
      __nextHasNoMarginBottom: true,
      label: sprintf(__('Description of %s', 'pillion'), name),
      help: __(
        'For people who cannot see the picture. Saved in the media library. Leave it empty if the picture is only decoration.',
        'pillion',
      ),
      rows: 2,
      value: typed === null ? alt || '' : typed,
      onChange: setTyped,
      onBlur: save,
    });
  };

  /** The pictures of a block in the sidebar. */
  const PicturePanel = ({ pictures }) =>
    pictures.length > 0 &&
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

  Object.assign(window.pillionSections, {
    usePicture,
    PictureTools,
    Framed,
    Backdrop,
    bindPicture,
    PicturePanel,
  });
}
