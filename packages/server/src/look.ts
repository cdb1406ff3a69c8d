import { hash } from 'node:crypto';
import { NEUTRAL_PALETTE, type Palette } from '@pillion/content/palette.ts';
import {
  type EditableToken,
  type Look,
  type LowContrast,
  lowIn,
  readTheme,
  type Theme,
  usableIn,
} from '@pillion/content/theme.ts';
import type { Log } from '@pillion/lib/log.ts';
import { editorThemeCss, lookCss } from '../vite/theme-css.mjs';
import type { Site } from './site.ts';

/** The tokens of the theme that editors may change, and the effect of a look. */
export interface Looks {
  editable: EditableToken[];
  /** The theme with a look. A look with text that cannot be read changes nothing. */
  themeOf: (look: Look | undefined) => Theme;
  paletteOf: (look: Look | undefined) => Palette;
  /** @returns The styles of a look and its text that cannot be read, also if it is not saved. */
  check: (look: unknown) => { css: string; problems: LowContrast[] };
  /** Styles of the look for visitors; `''`: it changes nothing. */
  cssOf: (look: Look | undefined) => string;
  /** Styles of the look for sections in WordPress' block editor; `''`: it changes nothing. */
  editorCssOf: (look: Look | undefined) => string;
  /** Address of the stylesheet of a look; `null`: it changes nothing. The page links it after the site's styles. */
  addressOf: (look: Look | undefined) => string | null;
}

/** The path of a look's stylesheet. */
export const LOOK_PATH = '/api/look.css';

const ADVICE =
  'Visitors see the theme without the changes of editors, because this text cannot be read. Save another look under Pillion → Look.';

/** @param site `undefined`: the neutral theme, of which nothing can be changed. */
export function createLooks(site: Pick<Site, 'theme' | 'tokens'> | undefined, log: Log = () => {}): Looks {
  const base: Theme = site?.theme ?? { palette: NEUTRAL_PALETTE, properties: {}, stylesheets: [], editable: [] };
  const tokens = site?.tokens;
  const noEffect = { key: '{}', theme: base, css: '' };
  /** All pages have the same look, so the latest is enough. */
  let latest = noEffect;

  /** @param changes As `usableIn` returns them. @param key The changes as JSON. */
  function computeEffect(changes: Look, key: string) {
    const theme = readTheme(tokens, changes);
    const unreadableTokens = lowIn(theme).map(({ path }) => path);
    if (unreadableTokens.length === 0) return { key, theme, css: lookCss(theme, base) };
    log('warn', 'look.unreadable', { tokens: unreadableTokens, advice: ADVICE });
    // With the key, so that the same look is not computed and logged again.
    return { ...noEffect, key };
  }

  function effectOf(look: Look | undefined) {
    const changes = usableIn(base, look);
    const key = JSON.stringify(changes);
    if (key === noEffect.key) return noEffect;
    if (key !== latest.key) latest = computeEffect(changes, key);
    return latest;
  }

  return {
    editable: base.editable,
    themeOf: (look) => effectOf(look).theme,
    paletteOf: (look) => effectOf(look).theme.palette,
    check(look) {
      if (tokens === undefined) return { css: '', problems: [] };
      const theme = readTheme(tokens, usableIn(base, look));
      return { css: lookCss(theme, null), problems: lowIn(theme) };
    },
    cssOf: (look) => effectOf(look).css,
    editorCssOf(look) {
      const { css, theme } = effectOf(look);
      return css === '' ? '' : editorThemeCss(theme);
    },
    addressOf(look) {
      const { css } = effectOf(look);
      return css === '' ? null : `${LOOK_PATH}?v=${hash('sha256', css, 'base64url').slice(0, 10)}`;
    },
  };
}
