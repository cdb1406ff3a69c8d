/** What a visitor may say yes to, each for itself. */
export const PURPOSES = ['statistics', 'marketing'] as const;

export type Purpose = (typeof PURPOSES)[number];
