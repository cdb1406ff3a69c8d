import type { CommonKind } from './kind.ts';

/** Kinds of field that the script of every form can draw and judge. Its size has a budget: a kind few forms have is rare. */
export const COMMON_KINDS = {
  text: { look: 'control', judge: null, isStyledBySite: true },
  textarea: { look: 'control', judge: null },
  email: { look: 'control', judge: 'email', isStyledBySite: true, autocomplete: 'email' },
  consent: { look: 'consent', judge: null, isStyledBySite: true, isForgotten: true, hasNoChoices: true },
  hidden: { look: 'hidden', judge: null, isStyledBySite: true, isForgotten: true },
  html: { look: 'html', judge: null, isSilent: true },
} as const satisfies Record<string, CommonKind>;

/** @returns `undefined` where the kind is a rare one. */
export const commonKind = (type: string): CommonKind | undefined => COMMON_KINDS[type as keyof typeof COMMON_KINDS];
