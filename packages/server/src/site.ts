import type { Palette } from '@pillion/content/palette.ts';
import type { Theme } from '@pillion/content/types.ts';
import type { SignUpNumberSlot } from '@pillion/sign-ups/sign-up-number.ts';
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';

/** What a site decides for itself. Every member but the palette has a neutral default. */
export interface SiteConfig {
  /** Colours of pages, of pictures for shared links, and of the editor's check of contrast. */
  palette: Palette;
  /** Stylesheet, from the site's folder, with typefaces and the brand's own rules. Default: the system's typefaces. */
  styles?: string;
  /** Stylesheet that only documents in languages from right to left link, with typefaces for them. Default: the same typefaces. */
  rightToLeftStyles?: string;
  /** SVG elements, 1200 × 630, behind the words of a shared page that has no picture. Default: the theme's ground. */
  shareGround?: Record<Theme, string>;
  /** What the site shows of the number of sign-ups. Default: nothing. */
  signUpNumber?: SignUpNumberSlot;
  /**
   * Module, from the site's folder, that shows a scene in the hero: it exports `mountHero` (`HeroScene`). Default: the hero
   * shows its picture, and a browser gets no code for a scene.
   */
  hero?: string;
  /**
   * Picture of the error pages, as files of the site's folder. `art`: a module that exports `Art` (`ErrorArt`), which shows
   * the title in its picture; `styles`: its stylesheet, which also says where title and words stand. Default: title and words.
   */
  errorPage?: { art: string; styles: string };
  /** Ambient music and its controls. `false`: a browser gets no code for it. Default: true. */
  music?: boolean;
}

/** Every member once, so that TypeScript names one that is missing here. */
const MEMBERS = Object.keys({
  palette: true,
  styles: true,
  rightToLeftStyles: true,
  shareGround: true,
  signUpNumber: true,
  hero: true,
  errorPage: true,
  music: true,
} satisfies Record<keyof SiteConfig, true>);

const colour = z.string().regex(/^#[\da-f]{6}$/i);
const colours = z.strictObject({
  ...{ background: colour, surface: colour, text: colour, muted: colour, accent: colour, onAccent: colour },
  ...{ accent2: colour, accentInContrast: colour.exactOptional(), line: z.number().min(0).max(100) },
}) satisfies z.ZodType<Palette['dark']>;
const palette = z.strictObject({ dark: colours, light: colours, veil: colour }) satisfies z.ZodType<Palette>;

/** @throws Where a colour is missing, unknown or not written as `#rrggbb`; the message names all of them. */
function checkPalette(value: unknown): void {
  const { error } = palette.safeParse(value, { reportInput: true });
  if (!error) return;
  const problems = error.issues.map((issue) => {
    const path = ['palette', ...issue.path].join('.');
    if (issue.code === 'unrecognized_keys') return `${path} has no member "${issue.keys.join('", "')}"`;
    return issue.code === 'invalid_format' ? `${path} is "${issue.input}", not #rrggbb` : `${path}: ${issue.message}`;
  });
  throw new Error(`site.config: ${problems.join('; ')}.`);
}

/**
 * Declares a site; the default export of its `site.config.ts`.
 * @throws Where a member is unknown or a colour is wrong; the message names it, and the nearest known member.
 */
export function defineSite(config: SiteConfig): SiteConfig {
  for (const name of Object.keys(config)) {
    if (MEMBERS.includes(name)) continue;
    const [nearest] = MEMBERS.toSorted((a, b) => distance(name, a) - distance(name, b));
    throw new Error(
      `site.config: there is no member "${name}". Did you mean "${nearest}"? Known: ${MEMBERS.join(', ')}.`,
    );
  }
  checkPalette(config.palette);
  return config;
}
