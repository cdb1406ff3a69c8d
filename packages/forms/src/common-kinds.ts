import type { CommonKind } from './kind.ts';

/**
 * Kinds of field that the script of every form includes. Its size has a budget: kinds that few forms use are extra
 * kinds.
 */
export const COMMON_KINDS = {
  text: { look: 'control', rule: null, isStyledBySite: true },
  textarea: { look: 'control', rule: null },
  email: { look: 'control', rule: 'email', isStyledBySite: true, autocomplete: 'email' },
  consent: { look: 'consent', rule: null, isStyledBySite: true, isForgotten: true },
  hidden: { look: 'hidden', rule: null, isStyledBySite: true, isForgotten: true },
  html: { look: 'html', rule: null, isSilent: true },
} as const satisfies Record<string, CommonKind>;

/** @returns `undefined` for a less common kind. */
export const commonKind = (type: string): CommonKind | undefined => COMMON_KINDS[type as keyof typeof COMMON_KINDS];
