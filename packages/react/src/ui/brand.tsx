import type { Strings } from '@pillion/content/types.ts';
import styles from './brand.module.css';
import { trustedHtml } from './trusted-types.ts';

/** Mean width of a capital in an expanded sans-serif, in thousandths of the font size. Used for the box of a name set in type. */
const ADVANCE = 740;

/**
 * The brand's logo, or its name in type if WordPress has no logo. Hidden from assistive technology: the parent has a
 * name.
 */
export function Brand({ strings: { brand, logo } }: { strings: Strings }) {
  if (logo !== null) {
    // biome-ignore lint/security/noDangerouslySetInnerHtml: SVG from the server's allow-list.
    return <span className={styles.brand} aria-hidden="true" dangerouslySetInnerHTML={{ __html: trustedHtml(logo) }} />;
  }
  const width = Math.max(1, brand.length) * ADVANCE;
  return (
    <span className={styles.brand} aria-hidden="true">
      <svg viewBox={`0 0 ${width} 740`} fill="currentColor" aria-hidden="true">
        <text y="720" textLength={width} lengthAdjust="spacingAndGlyphs">
          {brand}
        </text>
      </svg>
    </span>
  );
}
