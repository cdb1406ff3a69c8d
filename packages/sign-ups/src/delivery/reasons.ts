/** The name at the start of a reason. Rows are counted, listed and retried by it. */
export const nameOfReason = (reason: string | null): string => (reason ?? 'new').replace(/[:(].*$/s, '').trim();
