import { hash } from 'node:crypto';
import type { Look } from '../theme.ts';
import type { InlineText, Picture, Theme } from '../types.ts';

/** Content of a picture for shared links. */
export interface Card {
  /** The headline, with its marks. */
  title: InlineText;
  /** Title of the parent page; empty at the top level. */
  kicker: string;
  brand: string;
  /** The brand's logo as sanitized SVG; `null`: its name is shown as text. */
  logo: string | null;
  theme: Theme;
  /** Background; `null`: the brand's own. */
  picture: Picture | null;
  /** Changes of editors to the brand's colours. Missing: no changes. */
  look?: Look;
  /** The editor chose the picture: it is shown without text, in a file type that all networks accept. */
  isChosen: boolean;
}

/** Size that all networks show uncropped (Open Graph's 1.91 to 1). */
export const SHARE_SIZE = { width: 1200, height: 630 };

/** Increment after changes to the drawing: networks cache a picture by its address. */
const DRAWING_VERSION = 1;

/** Hash of everything that the picture shows. */
export const hashOf = (card: Card): string => hash('sha256', JSON.stringify([DRAWING_VERSION, card])).slice(0, 16);

/** @param path Path of the page, such as `/ferry-log/`. */
export const addressOfCard = (card: Card, path: string): string =>
  `/share/${hashOf(card)}${path.replace(/\/$/, '')}.jpg`;

/** @returns The requested hash and the page's path; `null` for an invalid address. */
export function readCardAddress(pathname: string): { hash: string; path: string } | null {
  const [, hash, path] = /^\/share\/([0-9a-f]{16})((?:\/[^/]+)*)\.jpg$/.exec(pathname) ?? [];
  return hash === undefined ? null : { hash, path: `${path}/` };
}
