import type { Problem } from '../../types.ts';
import { type Placed, picturesOf } from './pictures.ts';
import { type Rule, sectionsIn } from './rule.ts';

/**
 * Minimum widths in pixels. `behind`: the size that the block asks for ("1920 × 1200 pixels or more"). `beside`: a
 * picture fills a screen just below 1024 px, where columns begin (`sizes` in the sections). `among`: 46 % of such a
 * screen. Portrait crop: the size that the block asks for ("860 × 1860").
 */
const NEEDED: Record<Placed['place'], number> = { behind: 1920, beside: 1024, among: 480 };
const NEEDED_UPRIGHT = 860;

/** A picture is blurred if it is shown larger than its size. */
export const picturesSmall: Rule = (looked) =>
  sectionsIn(looked).flatMap(({ section, block }) =>
    picturesOf(section).flatMap(({ picture, place, isCrop }): Problem[] => {
      const needed = isCrop ? NEEDED_UPRIGHT : NEEDED[place];
      // SVG has no pixel size.
      if (picture.width >= needed || /\.svg$/i.test(picture.src)) return [];
      return [{ block, kind: 'picture-small', values: { width: picture.width, needed } }];
    }),
  );
