import type { Section, SignUpSection } from '../../content/types.ts';

/**
 * What a run of sections stands on: `stage` leaves the picture behind the page in view, `passage` does too and leads
 * through its hours, `cover` lies over it on the page's own colour, `night` brings a picture of its own: the sign-up's,
 * shared by what ends the page after it.
 */
export interface Ground {
  kind: 'stage' | 'passage' | 'cover' | 'night';
  sections: Section[];
}

function groundOf({ type }: Section, before: Ground['kind'] | undefined): Ground['kind'] {
  if (type === 'hero') return 'stage';
  if (type === 'acts') return 'passage';
  if (type === 'sign-up') return 'night';
  return type === 'wordmark' && before === 'night' ? 'night' : 'cover';
}

/** Gathers sections into the runs they stand in, in their order. A second sign-up begins a night of its own. */
export function groundsOf(sections: Section[]): Ground[] {
  const grounds: Ground[] = [];
  for (const section of sections) {
    const last = grounds.at(-1);
    const kind = groundOf(section, last?.kind);
    if (last?.kind === kind && section.type !== 'sign-up') last.sections.push(section);
    else grounds.push({ kind, sections: [section] });
  }
  return grounds;
}

export const signUpOf = ({ sections }: Ground): SignUpSection | undefined =>
  sections.find((section) => section.type === 'sign-up');
