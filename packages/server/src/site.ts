import type { Palette } from '@pillion/content/palette.ts';
import type { Theme } from '@pillion/content/types.ts';
import type { SignUpNumberSlot } from '@pillion/sign-ups/sign-up-number.ts';
import { distance } from 'fastest-levenshtein';

/** What a site decides for itself. Every member but the palette has a neutral default. */
export interface SiteConfig {
  /** Colours of pages, of pictures for shared links, and of the editor's check of contrast. */
  palette: Palette;
  /** Stylesheet, from the site's folder, with typefaces and the brand's own rules. Default: the system's typefaces. */
  styles?: string;
  /** SVG elements, 1200 × 630, behind the words of a shared page that has no picture. Default: the theme's ground. */
  shareGround?: Record<Theme, string>;
  /** What the site shows of the number of sign-ups. Default: nothing. */
  signUpNumber?: SignUpNumberSlot;
  /**
   * Module, from the site's folder, that shows a scene in the hero: it exports `mountHero` (`HeroScene`). Default: the hero
   * shows its picture, and a browser gets no code for a scene.
   */
  hero?: string;
  /** Ambient music and its controls. `false`: a browser gets no code for it. Default: true. */
  music?: boolean;
}

/** Every member once, so that TypeScript names one that is missing here. */
const MEMBERS = Object.keys({
  palette: true,
  styles: true,
  shareGround: true,
  signUpNumber: true,
  hero: true,
  music: true,
} satisfies Record<keyof SiteConfig, true>);

/**
 * Declares a site; the default export of its `site.config.ts`.
 * @throws Where a member is unknown; the message names the nearest known one.
 */
export function defineSite(config: SiteConfig): SiteConfig {
  for (const name of Object.keys(config)) {
    if (MEMBERS.includes(name)) continue;
    const [nearest] = MEMBERS.toSorted((a, b) => distance(name, a) - distance(name, b));
    throw new Error(
      `site.config: there is no member "${name}". Did you mean "${nearest}"? Known: ${MEMBERS.join(', ')}.`,
    );
  }
  return config;
}
