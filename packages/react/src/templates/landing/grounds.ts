import type { Section, Sections } from '@pillion/content/types.ts';

/**
 * The background of consecutive sections. `hero`: the hero's picture. `passage`: the same, while its scene plays.
 * `cover`: the page's colour. `night`: the sign-up's own picture.
 */
export interface Ground {
  kind: 'hero' | 'passage' | 'cover' | 'night';
  sections: Section[];
}

function groundOf({ type }: Section, previous: Ground['kind'] | undefined): Ground['kind'] {
  if (type === 'hero') return 'hero';
  if (type === 'acts') return 'passage';
  if (type === 'sign-up') return 'night';
  return type === 'wordmark' && previous === 'night' ? 'night' : 'cover';
}

/** Groups consecutive sections with the same background. A second sign-up starts a new `night`. */
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
