import type { Palette } from '@pillion/content/palette.ts';
import type { Theme } from '@pillion/content/types.ts';
import { LOWEST, lowContrasts } from '@pillion/lib/contrast.mjs';
import type { SignUpNumberSlot } from '@pillion/sign-ups/sign-up-number.ts';
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { ShareTypefaces } from './share/typefaces.ts';

/** Limits of each page's first visit on a phone, which the tests of a site check. */
export interface Budgets {
  /** Bytes after gzip. */
  script: number;
  styles: number;
  document: number;
  /** Bytes of typefaces. */
  fonts: number;
  /** Bytes of all files. */
  all: number;
  /** Sum of all layout shifts (CLS). */
  layoutShift: number;
}

/** The configuration of a site. Every member but the palette has a neutral default. */
export interface SiteConfig {
  /** Colours of pages and of pictures for shared links, also used by the editor's contrast check. */
  palette: Palette;
  /** Stylesheet with typefaces and the brand's rules, from the site's folder. Default: the system's typefaces. */
  styles?: string;
  /** Stylesheet with typefaces for languages from right to left, linked only by them. Default: the same typefaces. */
  rightToLeftStyles?: string;
  /** Background of a shared link to a page without picture: SVG elements, 1200 × 630. Default: the theme's colour. */
  shareGround?: Record<Theme, string>;
  /** Typefaces of pictures for shared links; `files` start from the site's folder. Default: Noto Sans. */
  shareTypefaces?: ShareTypefaces;
  /** How the site shows the number of sign-ups. Default: not at all. */
  signUpNumber?: SignUpNumberSlot;
  /**
   * Module of the hero's scene, from the site's folder. It exports `mountHero` (`HeroScene`). Default: the hero shows
   * its picture, and browsers load no code for a scene.
   */
  hero?: string;
  /**
   * Picture of the error pages, from the site's folder. `art`: a module that exports `Art` (`ErrorArt`), which shows
   * the title in its picture, without effects, since error pages start without React; `styles`: its stylesheet, which
   * also places title and text. Default: title and text.
   */
  errorPage?: { art: string; styles: string };
  /** Ambient music and its controls. `false`: browsers load no code for it. Default: true. */
  music?: boolean;
  /** Limits that `@pillion/site-tests` checks. Default: its own, for those that are not named. */
  budgets?: Partial<Budgets>;
}

/** All members. TypeScript reports a missing one. */
const MEMBERS = Object.keys({
  palette: true,
  styles: true,
  rightToLeftStyles: true,
  shareGround: true,
  shareTypefaces: true,
  signUpNumber: true,
  hero: true,
  errorPage: true,
  music: true,
  budgets: true,
} satisfies Record<keyof SiteConfig, true>);

const colour = z.string().regex(/^#[\da-f]{6}$/i);
const colours = z.strictObject({
  ...{ background: colour, surface: colour, text: colour, muted: colour, accent: colour, onAccent: colour },
  ...{ accent2: colour, accentInContrast: colour.exactOptional(), line: z.number().min(0).max(100) },
}) satisfies z.ZodType<Palette['dark']>;
const limit = z.number().min(0).exactOptional();
const budgets = z.strictObject({
  ...{ script: limit, styles: limit, document: limit, fonts: limit, all: limit, layoutShift: limit },
}) satisfies z.ZodType<Partial<Budgets>>;
const palette = z.strictObject({ dark: colours, light: colours, veil: colour }) satisfies z.ZodType<Palette>;

/** @returns A sentence for each text colour with less contrast than WCAG 1.4.3 requires. */
const unreadable = (palette: Palette): string[] =>
  (['dark', 'light'] as const).flatMap((theme) =>
    lowContrasts(palette[theme]).map(
      ({ role, grounds, ratio }) =>
        `palette.${theme}.${role} has a contrast of ${Math.floor(ratio * 10) / 10} on ${grounds.join(' and ')}; text needs ${LOWEST} (WCAG 1.4.3)`,
    ),
  );

/**
 * @throws If a colour is missing, unknown, not written as `#rrggbb`, or has too little contrast; the message names all of
 *   them.
 */
function checkPalette(value: unknown): void {
  const { error, data } = palette.safeParse(value, { reportInput: true });
  if (!error) {
    const low = unreadable(data);
    if (low.length > 0) throw new Error(`site.config: ${low.join('; ')}.`);
    return;
  }
  const problems = error.issues.map((issue) => {
    const path = ['palette', ...issue.path].join('.');
    if (issue.code === 'unrecognized_keys') return `${path} has no member "${issue.keys.join('", "')}"`;
    return issue.code === 'invalid_format' ? `${path} is "${issue.input}", not #rrggbb` : `${path}: ${issue.message}`;
  });
  throw new Error(`site.config: ${problems.join('; ')}.`);
}

/**
 * Declares a site; the default export of its `site.config.ts`.
 * @throws If a member is unknown or a colour is invalid; the message names it, and the nearest known member.
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
  const { error } = budgets.safeParse(config.budgets ?? {});
  if (error) throw new Error(`site.config: budgets: ${z.prettifyError(error)}`);
  return config;
}
