import { createHash } from 'node:crypto';
import type { InlineText, Picture, Theme } from '../types.ts';

/** What a picture for shared links says and shows. */
export interface Card {
  /** The headline, its turned word among it. */
  title: InlineText;
  /** What the page is part of; blank at the top of the site. */
  kicker: string;
  brand: string;
  /** The brand's mark as sanitised SVG; `null`: its name is set in type. */
  logo: string | null;
  theme: Theme;
  /** Behind the words; `null`: the brand's own ground. */
  picture: Picture | null;
  /** The editor chose the picture: it is shown by itself, in a form that every network takes. */
  isChosen: boolean;
}

/** What every network shows whole (Open Graph's 1.91 to 1). */
export const SHARE_SIZE = { width: 1200, height: 630 };

/** Another number for another way of drawing: networks keep a picture for as long as its address stays. */
const DRAWING = 1;

/** Changes with everything that is seen on the picture. */
export const hashOf = (card: Card): string =>
  createHash('sha256')
    .update(JSON.stringify([DRAWING, card]))
    .digest('hex')
    .slice(0, 16);

/** @param path The page's own, `/ferry-log/`. */
export const addressOfCard = (card: Card, path: string): string =>
  `/share/${hashOf(card)}${path.replace(/\/$/, '')}.jpg`;

/** @returns The hash that was asked for and the page's path; `null` for an address of another form. */
export function readCardAddress(pathname: string): { hash: string; path: string } | null {
  const [, hash, path] = /^\/share\/([0-9a-f]{16})((?:\/[^/]+)*)\.jpg$/.exec(pathname) ?? [];
  return hash === undefined ? null : { hash, path: `${path}/` };
}
