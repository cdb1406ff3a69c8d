import type { Problem } from '../../types.ts';
import { contrastLow } from './contrast-low.ts';
import { films } from './films.ts';
import { formMissing } from './form-missing.ts';
import { headlineMissing } from './headline-missing.ts';
import { leftOutParts } from './left-out.ts';
import { deadLinks } from './link-dead.ts';
import { longTexts } from './long-texts.ts';
import { picturesSmall } from './picture-small.ts';
import { picturesUndescribed } from './picture-undescribed.ts';
import type { CheckedDraft, Rule } from './rule.ts';
import { twoHeroes } from './two-heroes.ts';

const RULES: readonly Rule[] = [
  headlineMissing,
  twoHeroes,
  formMissing,
  leftOutParts,
  picturesUndescribed,
  picturesSmall,
  films,
  contrastLow,
  deadLinks,
  longTexts,
];

/** Largest number of reported problems. */
const MAX_PROBLEMS = 200;

/** All problems of a draft: those of the whole page first, then from top to bottom. */
export const problemsOf = (draft: CheckedDraft): Problem[] =>
  RULES.flatMap((rule) => rule(draft))
    .toSorted((a, b) => (a.block ?? -1) - (b.block ?? -1))
    .slice(0, MAX_PROBLEMS);
