import { lowIn, readTheme, type Theme } from '@pillion/content/theme.ts';
import type { Theme as PageTheme } from '@pillion/content/types.ts';
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

/** The configuration of a site. Every member but the theme has a neutral default. */
export interface SiteConfig {
  /** Content of the theme file: colours and typefaces as design tokens (docs/reference/theme.md). */
  theme: unknown;
  /** Stylesheet with the brand's rules, from the site's folder. Default: the kit's. */
  styles?: string;
  /** Stylesheet with typefaces for languages from right to left, linked only by them. Default: the same typefaces. */
  rightToLeftStyles?: string;
  /** Background of a shared link to a page without picture: SVG elements, 1200 × 630. Default: the theme's colour. */
  shareGround?: Record<PageTheme, string>;
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
  /**
   * Drawings of the icons: square SVG pictures, from the site's folder. `var(--accent)` and the other names are colours of the
   * theme file. `favicon`: for browser tabs; `app`: for home screens, drawn to the edges, with its mark in the middle circle
   * of 80 %, because systems cut it. The build makes the sizes. Default: files of `public/`.
   */
  icons?: { favicon: string; app: string };
  /** Ambient music and its controls. `false`: browsers load no code for it. Default: true. */
  music?: boolean;
  /** Limits that `@pillion/site-tests` checks. Default: its own, for those that are not named. */
  budgets?: Partial<Budgets>;
}

/** A site as `defineSite` returns it. */
export interface Site extends Omit<SiteConfig, 'theme'> {
  theme: Theme;
  /** Content of the theme file. */
  tokens: unknown;
}

/** All members. TypeScript reports a missing one. */
const MEMBERS = Object.keys({
  theme: true,
  styles: true,
  rightToLeftStyles: true,
  shareGround: true,
  shareTypefaces: true,
  signUpNumber: true,
  hero: true,
  errorPage: true,
  icons: true,
  music: true,
  budgets: true,
} satisfies Record<keyof SiteConfig, true>);

const limit = z.number().min(0).exactOptional();
const budgetsSchema = z.strictObject({
  ...{ script: limit, styles: limit, document: limit, fonts: limit, all: limit, layoutShift: limit },
}) satisfies z.ZodType<Partial<Budgets>>;

const themeError = (problems: string) => new Error(`site.config: theme: ${problems}.`);

/** @throws If a token is missing or invalid, or text has too little contrast; the message names the tokens. */
function parseTheme(file: unknown): Theme {
  let theme: Theme;
  try {
    theme = readTheme(file);
  } catch (error) {
    throw themeError((error as Error).message);
  }
  const unreadable = lowIn(theme);
  if (unreadable.length > 0) {
    const sentences = unreadable.map(
      ({ path, grounds, ratio, asked, nearest }) =>
        `${path} has a contrast of ${ratio} on ${grounds.join(' and ')}; text needs ${asked} (WCAG 1.4.3), for example ${nearest}`,
    );
    throw themeError(sentences.join('; '));
  }
  return theme;
}

/**
 * Declares a site; the default export of its `site.config.ts`.
 * @throws If a member is unknown or the theme is invalid; the message names it, and the nearest known member.
 */
export function defineSite(config: SiteConfig): Site {
  for (const name of Object.keys(config)) {
    if (MEMBERS.includes(name)) continue;
    const [nearest] = MEMBERS.toSorted((a, b) => distance(name, a) - distance(name, b));
    throw new Error(
      `site.config: there is no member "${name}". Did you mean "${nearest}"? Known: ${MEMBERS.join(', ')}.`,
    );
  }
  const theme = parseTheme(config.theme);
  const { error } = budgetsSchema.safeParse(config.budgets ?? {});
  if (error) throw new Error(`site.config: budgets: ${z.prettifyError(error)}`);
  return { ...config, theme, tokens: config.theme };
}
