import type { CommonKind } from './kind.ts';

/**
 * Kinds of field that the script of every form includes. Its size has a budget: kinds that few forms use are rare
 * kinds.
 */
export const COMMON_KINDS = {
  text: { look: 'control', judge: null, isStyledBySite: true },
  textarea: { look: 'control', judge: null },
  email: { look: 'control', judge: 'email', isStyledBySite: true, autocomplete: 'email' },
  consent: { look: 'consent', judge: null, isStyledBySite: true, isForgotten: true },
  hidden: { look: 'hidden', judge: null, isStyledBySite: true, isForgotten: true },
  html: { look: 'html', judge: null, isSilent: true },
} as const satisfies Record<string, CommonKind>;

/** @returns `undefined` for a rare kind. */
export const commonKind = (type: string): CommonKind | undefined => COMMON_KINDS[type as keyof typeof COMMON_KINDS];
