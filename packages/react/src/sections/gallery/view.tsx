import type { InlineText, Sections } from '@pillion/content/types.ts';
import type { SyntheticEvent } from 'react';
import { each } from '../../ui/each.tsx';
import { Inline } from '../../ui/inline.tsx';
import { Kicker } from '../../ui/kicker.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { SectionProps } from '../../ui/section-props.ts';

type GalleryItem = Sections['gallery']['items'][number];

const plainText = (text: InlineText) => text.map((run) => run.text).join('');

/** Without the chunk the row scrolls as the browser does it. */
const loadPictureKeys = ({ currentTarget }: SyntheticEvent<HTMLElement>) =>
  void import('./picture-keys.ts').then(
    ({ attachPictureKeys }) => attachPictureKeys(currentTarget),
    () => {},
  );

/**
 * Pictures in a row that scrolls sideways. The class names are plain, since the styles are a separate file (view.css).
 */
export default function Gallery({ section: { kicker, heading, items }, page }: SectionProps<'gallery'>) {
  const pictures = each(items, (item) => (
    <GalleryFigure item={item} count={items.length} isFirst={item === items[0]} />
  ));
  if (items.length === 0) return null;
  return (
    <section className="gallery">
      {(kicker !== '' || heading.length > 0) && (
        <div className="gallery-head">
          <Kicker text={kicker} />
          {heading.length > 0 && (
            <h2 data-reveal="rise">
              <Inline text={heading} />
            </h2>
          )}
        </div>
      )}
      {items.length > 1 ? (
        <section
          className="gallery-row"
          aria-label={plainText(heading) || kicker || page.title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling row must be reachable by keyboard.
          tabIndex={0}
          onFocus={loadPictureKeys}
          // It may have the focus before the page is hydrated.
          onKeyDown={loadPictureKeys}
        >
          <ul>{pictures}</ul>
        </section>
      ) : (
        <ul>{pictures}</ul>
      )}
    </section>
  );
}

function GalleryFigure({
  item: { picture, title, text },
  count,
  isFirst,
}: {
  item: GalleryItem;
  count: number;
  isFirst: boolean;
}) {
  return (
    <li>
      <figure>
        <Picture picture={picture} sizes={count > 1 ? pictureSizes(picture, isFirst) : '100vw'} />
        <figcaption data-of={count > 1 ? count : undefined}>
          {title !== '' && <p className="gallery-title">{title}</p>}
          {text !== '' && <p>{text}</p>}
        </figcaption>
      </figure>
    </li>
  );
}

/**
 * The pictures have the row's height, so their width follows from their proportions. The numbers are those of view.css:
 * the first picture is 62vh high, but at most 72vw, the others are 0.72 times as high, and none is wider than 80vw.
 */
function pictureSizes({ width, height }: GalleryItem['picture'], isFirst: boolean): string {
  const share = (width / height) * (isFirst ? 1 : 0.72);
  return `min(80vw, ${Math.round(share * 62)}vh, ${Math.round(share * 72)}vw)`;
}
