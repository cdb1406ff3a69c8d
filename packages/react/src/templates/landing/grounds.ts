import type { Section, Sections } from '@pillion/content/types.ts';

/**
 * What lies behind a run of sections. `hero`: the hero's picture shows. `passage`: it shows, and runs on.
 * `cover`: the page's colour. `night`: the sign-up's own picture.
 */
export interface Ground {
  kind: 'hero' | 'passage' | 'cover' | 'night';
  sections: Section[];
}

function groundOf({ type }: Section, before: Ground['kind'] | undefined): Ground['kind'] {
  if (type === 'hero') return 'hero';
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

export const signUpOf = ({ sections }: Ground): Sections['sign-up'] | undefined =>
  sections.find((section) => section.type === 'sign-up');
