import type { Film, Problem } from '../../types.ts';
import { SECTIONS } from '../../wordpress/section-schemas.ts';
import { type Rule, sectionsIn } from './rule.ts';

const MB = 1_000_000;

/** Visitors load a film while they read: at 10 Mbit/s 20 MB take 16 s. */
const RECOMMENDED_MB = 20;

/** `maxFileBytes` in media-cache.ts. */
const MAX_MB = 250;

/** Films without a picture, which is shown before the film and in its place, and films that are too large. */
export const films: Rule = (draft) =>
  sectionsIn(draft).flatMap(({ section, block }) => {
    const values = section as unknown as Record<string, unknown>;
    return Object.entries(SECTIONS[section.type]?.fields ?? {}).flatMap(([name, field]): Problem[] => {
      if (field.kind !== 'film') return [];
      const film = values[name] as Film | null;
      if (!film) return [];
      const size = Math.ceil(film.bytes / MB);
      return [
        ...(values[field.poster] ? [] : [{ block, kind: 'film-without-picture' as const, values: {} }]),
        ...(size > RECOMMENDED_MB
          ? [{ block, kind: 'film-large' as const, values: { size, most: RECOMMENDED_MB, limit: MAX_MB } }]
          : []),
      ];
    });
  });
