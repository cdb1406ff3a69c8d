import type { StatesOf } from '../../workbench/section-states.ts';

export const states: StatesOf = () => ({ full: { type: 'wordmark' } });
