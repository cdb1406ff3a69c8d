import type { Picture, Section } from '../../types.ts';
import { type Fields, ITEMS, type ItemsField, SECTIONS } from '../../wordpress/section-schemas.ts';

/** A picture where a section shows it. */
export interface Placed {
  picture: Picture;
  /** Where its declaration puts it (`PictureField.place`). */
  place: 'behind' | 'beside' | 'among';
  /** Whether it is another crop of one beside it. */
  isCrop: boolean;
}

type Values = Record<string, unknown>;

function placedIn(fields: Fields, values: Values): Placed[] {
  return Object.entries(fields).flatMap(([name, field]): Placed[] => {
    const value = values[name];
    if (field.kind === 'list') {
      const of = ITEMS[(field as ItemsField).of]?.fields ?? {};
      return (value as Values[]).flatMap((item) => placedIn(of, item));
    }
    if (field.kind !== 'picture' || !value) return [];
    return [{ picture: value as Picture, place: field.place ?? 'beside', isCrop: field.cropOf !== undefined }];
  });
}

/** The pictures of a section, by its declaration; those inside rich text are not among them. */
export const picturesOf = (section: Section): Placed[] =>
  placedIn(SECTIONS[section.type]?.fields ?? {}, section as unknown as Values);
