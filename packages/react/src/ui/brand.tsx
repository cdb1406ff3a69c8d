import type { Strings } from '@pillion/content/types.ts';
import styles from './brand.module.css';
import { trustedHtml } from './trusted-types.ts';

/** Mean width of a character in a sans-serif, in thousandths of the font size. Their sum is the width of a name in type. */
const advanceWidth = (character: string) =>
  /\p{Lu}/u.test(character) ? 740 : /[\p{L}\p{N}]/u.test(character) ? 580 : 380;

/**
 * The brand's logo, or its name in type if WordPress has no logo. Hidden from assistive technology: the parent has a
 * name.
 */
export function Brand({ strings: { brand, logo } }: { strings: Strings }) {
  if (logo !== null) {
    // biome-ignore lint/security/noDangerouslySetInnerHtml: SVG from the server's allow-list.
    return <span className={styles.brand} aria-hidden="true" dangerouslySetInnerHTML={{ __html: trustedHtml(logo) }} />;
  }
  const width = [...brand].reduce((sum, character) => sum + advanceWidth(character), 0) || 1;
  return (
    <span className={styles.brand} aria-hidden="true">
      <svg viewBox={`0 0 ${width} 740`} fill="currentColor" overflow="visible" aria-hidden="true">
        <text x={width / 2} y="720" textAnchor="middle" textLength={width} lengthAdjust="spacingAndGlyphs">
          {brand}
        </text>
      </svg>
    </span>
  );
}
