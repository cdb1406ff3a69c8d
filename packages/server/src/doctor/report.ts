import { styleText } from 'node:util';
import type { Line, State } from './finding.ts';

type Style = Parameters<typeof styleText>[0];

/** Each state has a sign and a word, for operators who see no colour or use a screen reader. */
const LABELS: Record<State, { sign: string; word: string; style: Style }> = {
  ok: { sign: '✓', word: 'ok', style: 'green' },
  warning: { sign: '!', word: 'warning', style: 'yellow' },
  broken: { sign: '✗', word: 'broken', style: 'red' },
  unasked: { sign: '·', word: 'skipped', style: 'gray' },
};

const WORD_COLUMNS = 9;
const NAME_COLUMNS = 16;
const INDENT = `    ${' '.repeat(WORD_COLUMNS + 1 + NAME_COLUMNS + 1)}`;

/** `styleText` adds no colours to a pipe, or with `NO_COLOR`. */
function formatLine({ name, state, says, todo }: Line): string {
  const { sign, word, style } = LABELS[state];
  const todoStyle = state === 'unasked' ? 'gray' : 'bold';
  const label = styleText(style, `${sign} ${word.padEnd(WORD_COLUMNS)}`);
  return `  ${label} ${name.padEnd(NAME_COLUMNS)} ${says}${todo && styleText(todoStyle, `\n${INDENT}→ ${todo}`)}`;
}

const countText = (count: number, singular: string) => `${count} ${singular}${count === 1 ? '' : 's'}`;

/** Sums up all lines in one sentence. */
function summarize(lines: Line[]): string {
  const count = (state: State) => lines.filter((line) => line.state === state).length;
  const parts = [
    count('broken') > 0 && countText(count('broken'), 'error'),
    count('warning') > 0 && countText(count('warning'), 'warning'),
    count('unasked') > 0 && `${count('unasked')} skipped`,
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join(', ')}; ${count('ok')} work.` : `All ${lines.length} work.`;
}

/** The lines under the names of their groups, and the sum. */
export function formatReport(title: string, lines: Line[]): string {
  const groups = [...new Set(lines.map(({ group }) => group))].map((group) =>
    [styleText('bold', group), ...lines.filter((line) => line.group === group).map(formatLine)].join('\n'),
  );
  return `${title}\n\n${groups.join('\n\n')}\n\n${summarize(lines)}\n`;
}

/** 1 if a check is broken or, with `isStrict`, has a warning. */
export const exitCodeOf = (lines: Line[], { isStrict }: { isStrict: boolean }): 0 | 1 =>
  lines.some(({ state }) => state === 'broken' || (isStrict && state === 'warning')) ? 1 : 0;
