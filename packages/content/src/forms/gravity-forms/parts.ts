import type { FieldKind } from '@pillion/forms/form.ts';

/** A part of a name or an address. */
interface Part {
  autocomplete: string;
  /** Gravity Forms requires this part in a required field. */
  isNeeded?: true;
}

/** Kinds with parts, each with a control, by their numbers in Gravity Forms. The boxes of a checkbox have no meaning. */
export const PARTS: { [K in FieldKind]?: Record<string, Part> } = {
  name: {
    2: { autocomplete: 'honorific-prefix' },
    3: { autocomplete: 'given-name', isNeeded: true },
    4: { autocomplete: 'additional-name' },
    6: { autocomplete: 'family-name', isNeeded: true },
    8: { autocomplete: 'honorific-suffix' },
  },
  address: {
    1: { autocomplete: 'address-line1', isNeeded: true },
    2: { autocomplete: 'address-line2' },
    3: { autocomplete: 'address-level2', isNeeded: true },
    4: { autocomplete: 'address-level1', isNeeded: true },
    5: { autocomplete: 'postal-code', isNeeded: true },
    6: { autocomplete: 'country-name', isNeeded: true },
  },
  checkbox: {},
};
