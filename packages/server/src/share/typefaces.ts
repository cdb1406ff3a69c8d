import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type { Font, Face as HarfBuzzFace } from 'harfbuzzjs';

export interface ShareTypeface {
  /** TrueType or OpenType files. A letter is set in the first file that has it. */
  files: readonly string[];
  /** Values of a variable font's axes, such as `{ wght: 500 }`. Default: those of the file. */
  axes?: Readonly<Record<string, number>>;
  /** Added after each letter, in em. Default: 0. */
  spacing?: number;
  /** Factor on the font size, for a typeface that looks smaller than the others. Default: 1. */
  scale?: number;
}

/** Text styles: the headline, the emphasised words in it, and the small text above it. */
export type TextStyle = 'display' | 'emphasis' | 'label';

export type ShareTypefaces = Readonly<Record<TextStyle, ShareTypeface>>;

/** A loaded font file. */
export interface Typeface {
  font: Font;
  unitsPerEm: number;
  /** Code points that it has. */
  letters: Set<number>;
  spacing: number;
  scale: number;
}

const FONT_FOLDER = dirname(createRequire(import.meta.url).resolve('@pillion/server/share/fonts/latin.ttf'));
const fontFile = (name: string) => resolve(FONT_FOLDER, `${name}.ttf`);

const LATIN = [fontFile('latin'), fontFile('latin-more')];

/** Noto Sans, for sites without share typefaces. Emphasised words have another colour. */
export const NEUTRAL_TYPEFACES: ShareTypefaces = {
  display: { files: LATIN, spacing: -0.02 },
  emphasis: { files: LATIN, spacing: -0.02 },
  label: { files: LATIN },
};

/** @returns The typefaces with absolute paths. @param folder The site's folder, which `files` start from. */
export function resolveTypefaces(folder: string, typefaces: ShareTypefaces | undefined): ShareTypefaces | undefined {
  const withAbsolutePaths = ({ files, ...rest }: ShareTypeface) => ({
    ...rest,
    files: files.map((file) => resolve(folder, file)),
  });
  if (!typefaces) return undefined;
  const { display, emphasis, label } = typefaces;
  return {
    display: withAbsolutePaths(display),
    emphasis: withAbsolutePaths(emphasis),
    label: withAbsolutePaths(label),
  };
}

/** Noto's fonts, for scripts that the site's typefaces lack. Letters of Arabic are joined, so there is no spacing. */
const FALLBACK: ShareTypeface = {
  files: ['latin', 'latin-more', 'greek', 'cyrillic', 'hebrew', 'arabic', 'emoji'].map(fontFile),
  scale: 0.94,
};

/**
 * Loads fonts: about 1.4 MB.
 * @returns The typefaces of each text style, in the order of their use.
 * @throws If a file cannot be read or is not a font.
 */
export async function loadTypefaces(
  harfbuzz: typeof import('harfbuzzjs'),
  typefaces: ShareTypefaces,
): Promise<Record<TextStyle, Typeface[]>> {
  const openFaces = new Map<string, Promise<HarfBuzzFace>>();
  const openFace = (file: string) => {
    const face =
      openFaces.get(file) ??
      readFile(file).then((bytes) => new harfbuzz.Face(new harfbuzz.Blob(new Uint8Array(bytes))));
    openFaces.set(file, face);
    return face;
  };
  const loadTypeface = ({ files, axes = {}, spacing = 0, scale = 1 }: ShareTypeface) =>
    Promise.all(
      files.map(async (file) => {
        const face = await openFace(file);
        const font = new harfbuzz.Font(face);
        font.setVariations(Object.entries(axes).map(([tag, value]) => new harfbuzz.Variation(tag, value)));
        return { font, unitsPerEm: face.upem, letters: new Set(face.collectUnicodes()), spacing, scale };
      }),
    );
  const [display, emphasis, label, fallback] = await Promise.all(
    [typefaces.display, typefaces.emphasis, typefaces.label, FALLBACK].map(loadTypeface),
  );
  return {
    display: [...(display ?? []), ...(fallback ?? [])],
    emphasis: [...(emphasis ?? []), ...(display ?? []), ...(fallback ?? [])],
    label: [...(label ?? []), ...(fallback ?? [])],
  };
}
