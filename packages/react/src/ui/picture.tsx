import type { Picture as PictureContent } from '@pillion/content/types.ts';

interface Props {
  picture: PictureContent;
  /** Crop for upright screens, where the editor gave one. */
  portrait?: PictureContent | null;
  /** The `sizes` attribute: how wide the picture stands in the layout. */
  sizes: string;
  /** Asked for at once and before others: the one picture in the first view. */
  isFirst?: boolean;
  className?: string | undefined;
}

const srcSet = ({ sources }: PictureContent) => sources.map(({ src, width }) => `${src} ${width}w`).join(', ');

/** A picture in the sizes WordPress made of it, its room reserved before it arrives. */
export function Picture({ picture, portrait = null, sizes, isFirst = false, className }: Props) {
  const image = (
    <img
      className={className}
      src={picture.src}
      srcSet={srcSet(picture)}
      sizes={sizes}
      width={picture.width}
      height={picture.height}
      alt={picture.alt}
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
