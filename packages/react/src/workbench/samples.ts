import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteFolder } from '@pillion/lib/site-folder.mjs';

const CONTENT = join(siteFolder(), 'content');

/** Long words that can break layouts: a compound, a name, and one without hyphenation. */
export const COMPOUND = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk';
export const NAME = 'Wolfeschlegelsteinhausenbergerdorff';
export const UNBROKEN = 'm'.repeat(60);
export const SENTENCE =
  'The path leaves the water at the third gate and does not come back to it until the other side, forty-eight kilometres on.';

export const LONG_FACTS = [
  { label: COMPOUND, value: UNBROKEN },
  { label: 'Named after', value: NAME },
];

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const facts = (count: number) =>
  times(count, (index) => ({ label: `Fact ${index + 1}`, value: `${index + 1}2 km` }));

/** A picture in the format of WordPress. */
export interface WirePicture {
  url: string;
  width: number;
  height: number;
  sizes: { url: string }[];
}

/** Sample pictures for the states of a section. */
export interface Samples {
  /** A landscape picture of the bundled content. @param at Its index, from 0; wraps around. */
  wide: (at?: number) => WirePicture;
  /** A portrait picture of the bundled content, by its index as above. */
  upright: (at?: number) => WirePicture;
}

/**
 * Collects the pictures of the site's bundled content: every object with `sizes`.
 * @param home URL of the WordPress that serves them.
 */
export function samplesFrom(home: string): Samples {
  const pictures = new Map<string, WirePicture>();
  const collectPictures = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const picture = value as WirePicture;
    if (Array.isArray(picture.sizes)) pictures.set(picture.url, picture);
    for (const member of Object.values(value)) collectPictures(member);
  };
  for (const file of globSync('*/pages/*.json', { cwd: CONTENT }).sort())
    collectPictures(JSON.parse(readFileSync(join(CONTENT, file), 'utf8')));
  const toUploadUrl = (address: string) => address.replace('/media/', `${home}/wp-content/uploads/${MEDIA_FOLDER}/`);
  const allPictures = [...pictures.values()].map((picture) => ({
    ...picture,
    url: toUploadUrl(picture.url),
    sizes: picture.sizes.map((size) => ({ ...size, url: toUploadUrl(size.url) })),
  }));
  /** @returns A function that chooses a picture of this orientation; any picture if none has it. It throws without pictures. */
  const pictureChooser = (isWide: boolean) => {
    const matching = allPictures.filter(({ width, height }) => width > height === isWide);
    const usable = matching.length > 0 ? matching : allPictures;
    return (at = 0): WirePicture => {
      const picture = usable[at % usable.length];
      if (!picture) throw new Error('The bundled content has no picture for the workbench');
      return picture;
    };
  };
  return { wide: pictureChooser(true), upright: pictureChooser(false) };
}

/** A separate folder, so that these pictures are not confused with those of the site. */
const MEDIA_FOLDER = 'workbench';

/** Reads a sample picture from the bundled content. @param name Its file name. */
export const readPicture = (name: string): Buffer => readFileSync(join(CONTENT, 'media', name));
