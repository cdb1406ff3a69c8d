import type { LowContrast } from '../theme.ts';
import type { Theme } from '../types.ts';

export type { LowContrast } from '../theme.ts';

/**
 * Messages between the block editor (plugins/pillion/assets/preview/site-messages.ts, assets/look.ts) and the site's page
 * in its pane.
 */

export type FromEditor =
  /** `n` counts the drafts of one editor. */
  | { pillion: 'draft'; n: number; draft: object }
  /** `block`: index of a top-level block, from 0. */
  | { pillion: 'select'; block: number }
  | { pillion: 'look'; theme: Theme | null; calm: boolean }
  | { pillion: 'colours'; look: object };

/**
 * Why a draft is not shown. `expired`: the token has expired. `silent`: the site did not respond, or is overloaded.
 * `too-large` (bytes), `too-long` (characters), `unreadable`: the draft is invalid. `failed`: the page's code threw.
 */
export type FailedReason = 'expired' | 'silent' | 'too-large' | 'too-long' | 'unreadable' | 'failed';

export type ToEditor =
  | { pillion: 'ready' }
  | { pillion: 'shown'; n: number }
  /** `n` is null if colours could not be shown. */
  | { pillion: 'failed'; n: number | null; reason: FailedReason }
  | { pillion: 'picked'; block: number }
  | { pillion: 'coloured'; problems: LowContrast[] };

/** Handlers by kind of message. */
export type MessageHandlers<Message extends { pillion: string }> = {
  [Kind in Message['pillion']]: (message: Extract<Message, { pillion: Kind }>) => void;
};
