import { Inline } from '../../ui/inline.tsx';
import { Kicker } from '../../ui/kicker.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { SectionProps } from '../../ui/section-props.ts';

/** Quotes with more characters than this have a smaller type size, so that they do not fill the screen. */
const LONG_QUOTE_LENGTH = 90;

/** A quote in large type. The class names are plain because the styles are a separate file (view.css). */
export default function Quote({ section: { kicker, quote, source, picture } }: SectionProps<'quote'>) {
  const length = quote.reduce((sum, { text }) => sum + text.length, 0);
  if (length === 0) return null;
  return (
    <section className="quote">
      <div className="quote-words">
        <Kicker text={kicker} />
        <figure data-reveal="rise">
          <blockquote data-long={length > LONG_QUOTE_LENGTH ? '' : undefined}>
            <p>
              <Inline text={quote} />
            </p>
          </blockquote>
          {source !== '' && <figcaption>{source}</figcaption>}
        </figure>
      </div>
      {picture && (
        <div className="quote-picture" data-reveal="drift">
          <Picture picture={picture} sizes="(min-width: 1024px) 34vw, 100vw" />
        </div>
      )}
    </section>
  );
}
