/**
 * `ok`: it works. `warning`: it works for visitors, but the operator should check it. `broken`: it does not work.
 * `unasked`: not checked, for the reason in `says`.
 */
export type State = 'ok' | 'warning' | 'broken' | 'unasked';

/** The result of one check. */
export interface Finding {
  state: State;
  /** One sentence, without secrets and without input of visitors. */
  says: string;
  /** What the operator should do; `''`: nothing. */
  todo: string;
}

export const ok = (says: string): Finding => ({ state: 'ok', says, todo: '' });
export const warning = (says: string, todo: string): Finding => ({ state: 'warning', says, todo });
export const broken = (says: string, todo: string): Finding => ({ state: 'broken', says, todo });
export const skipped = (says: string, todo = ''): Finding => ({ state: 'unasked', says, todo });

export const PLUGIN_ABSENT = skipped('The Pillion plugin does not answer.');
export const NEEDS_PLUGIN = skipped('Only the Pillion plugin reports it.');

/** A finding with its group and name in the list. */
export interface Line extends Finding {
  group: string;
  name: string;
}

/** `a, b, c and 4 more`: a long list stays one line. */
export function joinNames(names: string[], most = 6): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
