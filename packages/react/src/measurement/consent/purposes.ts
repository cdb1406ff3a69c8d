/** Purposes that a visitor can agree to separately. */
export const PURPOSES = ['statistics', 'marketing'] as const;

export type Purpose = (typeof PURPOSES)[number];
