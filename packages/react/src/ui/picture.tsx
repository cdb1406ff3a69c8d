import type { Picture as PictureContent } from '@pillion/content/types.ts';
import { quarter } from '@pillion/lib/picture.ts';

interface Props {
  picture: PictureContent;
  /** Crop for portrait screens, if the editor has set one. */
  portrait?: PictureContent | null;
  /** The `sizes` attribute: width of the picture in the layout. */
  sizes: string;
  /** The picture in the first view: loaded eagerly, with low priority, because the loader covers it (decision 041). */
  isFirst?: boolean;
  className?: string | undefined;
}

const srcSet = ({ sources }: PictureContent) => sources.map(({ src, width }) => `${src} ${width}w`).join(', ');

/** A picture in all sizes of WordPress. Its space is reserved before it loads. */
export function Picture({ picture, portrait = null, sizes, isFirst = false, className }: Props) {
  const { focalPoint } = picture;
  const image = (
    <img
      className={className}
      src={picture.src}
      srcSet={srcSet(picture)}
      sizes={sizes}
      width={picture.width}
      height={picture.height}
      alt={picture.alt}
      data-x={focalPoint && quarter(focalPoint.x)}
      data-y={focalPoint && quarter(focalPoint.y)}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'low' : 'auto'}
      decoding="async"
    />
  );
  if (!portrait) return image;
  return (
    <picture>
      <source
        media="(orientation: portrait)"
        srcSet={srcSet(portrait)}
        sizes={sizes}
        width={portrait.width}
        height={portrait.height}
      />
      {image}
    </picture>
  );
}
