import type { Problem } from '../../types.ts';
import { type PlacedPicture, picturesOf } from './pictures.ts';
import { type Rule, sectionsIn } from './rule.ts';

/**
 * Minimum widths in pixels. `behind`: the size that the block asks for ("1920 × 1200 pixels or more"). `beside`: a
 * picture fills a screen just below 1024 px, where columns begin (`sizes` in the sections). `among`: 46 % of such a
 * screen. Portrait crop: the size that the block asks for ("860 × 1860").
 */
const MIN_WIDTHS: Record<PlacedPicture['place'], number> = { behind: 1920, beside: 1024, among: 480 };
const MIN_CROP_WIDTH = 860;

/** A picture is blurred if it is shown larger than its size. */
export const picturesSmall: Rule = (draft) =>
  sectionsIn(draft).flatMap(({ section, block }) =>
    picturesOf(section).flatMap(({ picture, place, isCrop }): Problem[] => {
      const needed = isCrop ? MIN_CROP_WIDTH : MIN_WIDTHS[place];
      // SVG has no pixel size.
      if (picture.width >= needed || /\.svg$/i.test(picture.src)) return [];
      return [{ block, kind: 'picture-small', values: { width: picture.width, needed } }];
    }),
  );
