import type { Picture, Section } from '../../types.ts';
import { type Fields, ITEMS, type ItemsField, SECTIONS } from '../../wordpress/section-schemas.ts';

/** A picture with its position in a section. */
export interface PlacedPicture {
  picture: Picture;
  /** Position from its declaration (`PictureField.place`). */
  place: 'behind' | 'beside' | 'among';
  /** Whether it is another crop of a picture of the section. */
  isCrop: boolean;
}

type Values = Record<string, unknown>;

function placedPicturesIn(fields: Fields, values: Values): PlacedPicture[] {
  return Object.entries(fields).flatMap(([name, field]): PlacedPicture[] => {
    const value = values[name];
    if (field.kind === 'list') {
      const itemFields = ITEMS[(field as ItemsField).of]?.fields ?? {};
      return (value as Values[]).flatMap((item) => placedPicturesIn(itemFields, item));
    }
    if (field.kind !== 'picture' || !value) return [];
    return [{ picture: value as Picture, place: field.place ?? 'beside', isCrop: field.cropOf !== undefined }];
  });
}

/** Pictures of a section by its declaration, without those in rich text. */
export const picturesOf = (section: Section): PlacedPicture[] =>
  placedPicturesIn(SECTIONS[section.type]?.fields ?? {}, section as unknown as Values);
