import type { StatesOf } from '../../workbench/section-states.ts';

/** The wordmark section in each state that the workbench shows, in the format of WordPress. */
export const states: StatesOf = () => ({ full: { type: 'wordmark' } });
