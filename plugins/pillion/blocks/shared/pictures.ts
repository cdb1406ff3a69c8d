/** Pictures and films from the media library: behind a section, in frames and in the sidebar, with their descriptions. */
import { el, icon, useIsPreview } from './kit.ts';

const { Fragment, useState } = wp.element;
const { useSelect, useDispatch } = wp.data;
const { __, sprintf } = wp.i18n;
const { Button, FocalPointPicker, PanelBody, Spinner, TextareaControl } = wp.components;
const { InspectorControls, MediaPlaceholder, MediaUpload, MediaUploadCheck } = wp.blockEditor;

/** Shares of the picture's width and height, 0 to 1, from its top left corner. */
type Point = { x: number; y: number };

/** Props of a picture or film, from `bindPicture` and the declaration. */
type Media = {
  id: number;
  name: string;
  onChange: (id: number) => void;
  focalPoint?: Point;
  onFocalPoint: (point?: Point) => void;
  isFilm?: boolean;
  hint?: string;
};

/** In the default context `edit` WordPress refuses authors the pictures of other users. */
const VIEW_CONTEXT = { context: 'view' };

/** Films that the site serves (packages/lib/src/media-types.ts). */
const FILM_TYPES = ['video/mp4', 'video/webm'];

/** `gone`: it was deleted. `type`: its MIME type. */
type Picture = { state: 'none' | 'loading' | 'gone' | 'here'; url?: string; alt?: string; type?: string };

/** A picture or film of the media library. @param id Attachment id, 0 for none. */
export const usePicture = (id: number): Picture =>
  useSelect(
    (select) => {
      if (!id) {
        return { state: 'none' };
      }
      const query = ['postType', 'attachment', id, VIEW_CONTEXT];
      const record = select('core').getEntityRecord(...query);
      if (record) {
        const sizes = record.media_details?.sizes || {};
        const url = (sizes.large || sizes.full || { source_url: record.source_url }).source_url;
        return { state: 'here', url, alt: record.alt_text, type: record.mime_type };
      }
      return { state: select('core').hasFinishedResolution('getEntityRecord', query) ? 'gone' : 'loading' };
    },
    [id],
  );

/** A button that opens the media library. */
const MediaLibraryButton = ({ id, isFilm, onChange, children, label }: Media & { children?: unknown; label: string }) =>
  el(
    MediaUploadCheck,
    null,
    el(MediaUpload, {
      allowedTypes: isFilm ? FILM_TYPES : ['image'],
      value: id || undefined,
      onSelect: (media: { id: number }) => onChange(media.id),
      render: ({ open }: { open: () => void }) =>
        el(Button, { className: 'pillion-button', onClick: open, 'aria-label': label }, children),
    }),
  );

/** The name of a picture or film with its buttons: choose, or replace and remove. Shown on the picture. */
export const PictureTools = ({ id, name, isFilm, onChange }: Media) => {
  const picture = usePicture(id);
  if (useIsPreview()) {
    return null;
  }
  if (picture.state === 'none') {
    const label = sprintf(__('Add %s', 'pillion'), name);
    return el(
      'div',
      { className: 'pillion-tools' },
      el(MediaLibraryButton, { id, isFilm, onChange, label }, icon('picture'), label),
    );
  }
  return el(
    'div',
    { className: 'pillion-tools' },
    el('span', { className: 'pillion-tools-name' }, name, el(MediaWarning, { picture, isFilm })),
    el(
      MediaLibraryButton,
      { id, isFilm, onChange, label: sprintf(__('Replace %s', 'pillion'), name) },
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

/** Why the site cannot show a picture or film well; null without a problem. */
const MediaWarning = ({ picture, isFilm }: { picture: Picture; isFilm?: boolean }) => {
  const { state, alt, type = '' } = picture;
  if (state === 'gone') {
    return el('b', null, __('is no longer in the media library', 'pillion'));
  }
  if (state !== 'here') {
    return null;
  }
  // The media library also selects what was just uploaded, of any type.
  if (isFilm) {
    return FILM_TYPES.includes(type)
      ? null
      : el('b', null, __('is neither MP4 nor WebM, so the site does not play it', 'pillion'));
  }
  return alt ? null : el('b', null, __('no description', 'pillion'));
};

/**
 * A picture in a frame. An empty frame accepts uploads and dropped files. `crop` is another crop of this picture for
 * upright screens; the frame shows its buttons only.
 */
export const Framed = ({
  id,
  name,
  hint,
  onChange,
  className,
  crop,
  focalPoint,
}: Media & { className: string; crop?: Media }) => {
  const picture = usePicture(id);
  const isPreview = useIsPreview();
  const classes = `pillion-frame ${className}`;
  if (picture.state === 'none' && !isPreview) {
    return el(
      'div',
      { className: classes },
      el(MediaPlaceholder, {
        icon: icon('picture'),
        labels: { title: name, instructions: hint },
        allowedTypes: ['image'],
        accept: 'image/*',
        onSelect: (media: { id: number }) => onChange(media.id),
      }),
    );
  }
  return el(
    'figure',
    { className: classes },
    picture.state === 'loading' && el(Spinner),
    picture.state === 'here' && el('img', { src: picture.url, alt: picture.alt, style: cropStyle(focalPoint) }),
    el(
      'div',
      { className: 'pillion-frame-tools' },
      el(PictureTools, { id, name, onChange }),
      crop && el(PictureTools, crop),
    ),
  );
};

/** Crops a picture as the site does: the focal point in quarters, as in `packages/lib/src/picture.ts`. */
const cropStyle = (point?: Point) =>
  point ? { objectPosition: `${Math.round(point.x * 4) * 25}% ${Math.round(point.y * 4) * 25}%` } : undefined;

/** A picture behind a section's text, with the buttons of all the section's pictures in the corner. */
export const Backdrop = ({ id, focalPoint, children }: Media & { children?: unknown }) => {
  const picture = usePicture(id);
  const style = cropStyle(focalPoint);
  return el(
    Fragment,
    null,
    picture.state === 'here' && el('img', { className: 'pillion-backdrop', src: picture.url, alt: '', style }),
    el('div', { className: 'pillion-corner' }, children),
  );
};

/** Attribute with the focal point of a picture; SectionFields::focal_point_of() has the same. */
const focalPointAttribute = (attribute: string) => `${attribute}FocalPoint`;

/** Props that bind a picture to an attribute of a block. Another picture has no focal point yet. */
export const bindPicture = (block: SectionBlock, attribute: string, name: string) => ({
  id: block.attributes[attribute],
  name,
  onChange: (id: number) => block.setAttributes({ [attribute]: id, [focalPointAttribute(attribute)]: undefined }),
  focalPoint: block.attributes[focalPointAttribute(attribute)],
  onFocalPoint: (point: Point | undefined) => block.setAttributes({ [focalPointAttribute(attribute)]: point }),
});

const MIDDLE = { x: 0.5, y: 0.5 };

/** Lets editors choose which part of a picture stays visible where it is cropped. */
const FocalPointControl = ({ id, name, focalPoint, onFocalPoint }: Media) => {
  const { state, url } = usePicture(id);
  return (
    state === 'here' &&
    el(
      Fragment,
      null,
      el(FocalPointPicker, {
        __nextHasNoMarginBottom: true,
        label: sprintf(__('Focal point of %s', 'pillion'), name),
        help: __('This part stays visible where a screen shows only a part of the picture.', 'pillion'),
        url,
        value: focalPoint || MIDDLE,
        onChange: onFocalPoint,
      }),
      focalPoint &&
        el(
          Button,
          { className: 'pillion-button', onClick: () => onFocalPoint(undefined) },
          __('Remove focal point', 'pillion'),
        ),
    )
  );
};

/** The description of a picture. It belongs to the media library, so it is saved at once. */
const DescriptionControl = ({ id, name }: Media) => {
  const { alt } = usePicture(id);
  /** Null: the editor has typed nothing, so the saved description is shown. */
  const [typed, setTyped] = useState(null);
  const { saveEntityRecord, invalidateResolution } = useDispatch('core');
  const { createNotice } = useDispatch('core/notices');
  const saveDescription = async () => {
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
    invalidateResolution('getEntityRecord', ['postType', 'attachment', id, VIEW_CONTEXT]);
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
    value: typed ?? alt ?? '',
    onChange: setTyped,
    onBlur: saveDescription,
  });
};

/** The pictures of a block in the sidebar. */
export const PicturePanel = ({ pictures }: { pictures: (Media & { hasFocalPoint: boolean })[] }) =>
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
          !picture.hasFocalPoint && el(MediaThumbnail, picture),
          el(PictureTools, picture),
          picture.hasFocalPoint && el(FocalPointControl, picture),
          Boolean(picture.id) &&
            !picture.isFilm &&
            el(DescriptionControl, { key: picture.id, id: picture.id, name: picture.name }),
        ),
      ),
    ),
  );

const MediaThumbnail = ({ id, isFilm }: Pick<Media, 'id' | 'isFilm'>) => {
  const { state, url } = usePicture(id);
  if (state !== 'here') {
    return null;
  }
  return isFilm
    ? el('video', { src: url, controls: true, muted: true, preload: 'metadata' })
    : el('img', { src: url, alt: '' });
};
