import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteFolder } from '@pillion/lib/site-folder.mjs';

const CONTENT = join(siteFolder(), 'content');

/** Words that layouts break on: a compound, a name, and one that no language would hyphenate. */
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
  Array.from({ length: count }, (_, at) => make(at));

export const facts = (count: number) => times(count, (at) => ({ label: `Fact ${at + 1}`, value: `${at + 1}2 km` }));

/** A picture as WordPress answers it. */
export interface WirePicture {
  url: string;
  width: number;
  height: number;
  sizes: { url: string }[];
}

/** What the states of a section are made with, besides the words above. */
export interface Samples {
  /** A picture of the bundled content that is wider than high. @param at Which of them, from 0; after the last comes the first. */
  wide: (at?: number) => WirePicture;
  /** The same, of those that are higher than wide. */
  upright: (at?: number) => WirePicture;
}

/** @param home Address of the WordPress that has the pictures. */
export function samplesFrom(home: string): Samples {
  const known = new Map<string, WirePicture>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const picture = value as WirePicture;
    if (Array.isArray(picture.sizes)) known.set(picture.url, picture);
    for (const member of Object.values(value)) visit(member);
  };
  for (const { id } of JSON.parse(readFileSync(join(CONTENT, 'en/routes.json'), 'utf8')) as { id: number }[])
    visit(JSON.parse(readFileSync(join(CONTENT, `en/pages/${id}.json`), 'utf8')));
  const there = (address: string) => address.replace('/media/', `${home}/wp-content/uploads/${MEDIA_FOLDER}/`);
  const all = [...known.values()].map((picture) => ({
    ...picture,
    url: there(picture.url),
    sizes: picture.sizes.map((size) => ({ ...size, url: there(size.url) })),
  }));
  /** Content without a picture of the shape gives what it has. @throws If it has no picture at all. */
  const of = (isWide: boolean) => {
    const some = all.filter(({ width, height }) => width > height === isWide);
    const shown = some.length > 0 ? some : all;
    return (at = 0): WirePicture => {
      const picture = shown[at % shown.length];
      if (!picture) throw new Error('The bundled content has no picture for the workbench');
      return picture;
    };
  };
  return { wide: of(true), upright: of(false) };
}

/** The pictures lie in a folder of their own, so that the site's own pictures are never taken for them. */
const MEDIA_FOLDER = 'workbench';

/** @param name Of a picture's file. */
export const readPicture = (name: string): Buffer => readFileSync(join(CONTENT, 'media', name));
