import type { Problem } from '../../types.ts';
import { type Placed, picturesOf } from './pictures.ts';
import { type Rule, sectionsIn } from './rule.ts';

/**
 * Widths in pixels. Behind: what the editor is asked for in the block ("1920 × 1200 pixels or more"). Beside: a picture
 * fills a screen just below 1024 px, where the columns begin (`sizes` in the sections). Among: 46 % of such a screen. An
 * upright crop: what the editor is asked for ("860 × 1860").
 */
const NEEDED: Record<Placed['place'], number> = { behind: 1920, beside: 1024, among: 480 };
const NEEDED_UPRIGHT = 860;

/** A picture drawn larger than it is is blurred. */
export const picturesSmall: Rule = (looked) =>
  sectionsIn(looked).flatMap(({ section, block }) =>
    picturesOf(section).flatMap(({ picture, place, isCrop }): Problem[] => {
      const needed = isCrop ? NEEDED_UPRIGHT : NEEDED[place];
      // A drawing has no size of its own.
      if (picture.width >= needed || /\.svg$/i.test(picture.src)) return [];
      return [{ block, kind: 'picture-small', values: { width: picture.width, needed } }];
    }),
  );
