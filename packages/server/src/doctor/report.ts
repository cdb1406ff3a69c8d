import type { Line, State } from './finding.ts';

/** Each state has a sign and a word, for operators who see no colour or use a screen reader. */
const MARKS: Record<State, { sign: string; word: string; colour: number }> = {
  ok: { sign: '✓', word: 'ok', colour: 32 },
  warning: { sign: '!', word: 'warning', colour: 33 },
  broken: { sign: '✗', word: 'broken', colour: 31 },
  unasked: { sign: '·', word: 'skipped', colour: 90 },
};

/** Column widths, in characters. */
const WORD = 9;
const NAME = 16;
const INDENT = `    ${' '.repeat(WORD + 1 + NAME + 1)}`;

export interface ReportOptions {
  /** Whether the terminal shows colours. */
  isColoured: boolean;
  /** Longest line, in characters. 0: lines are not broken. */
  width: number;
}

/** Breaks a text at spaces. */
function wrapped(text: string, width: number): string[] {
  if (width <= 0) return [text];
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    const joined = last === '' ? word : `${last} ${word}`;
    if (joined.length > width && last !== '') lines.push(word);
    else lines[lines.length - 1] = joined;
  }
  return lines;
}

function lineText({ name, state, says, todo }: Line, { isColoured, width }: ReportOptions): string {
  const { sign, word, colour } = MARKS[state];
  const mark = `${sign} ${word.padEnd(WORD)}`;
  const paint = (text: string, code: number) => (isColoured ? `\x1b[${code}m${text}\x1b[0m` : text);
  const room = width > 0 ? Math.max(30, width - INDENT.length) : 0;
  const text = wrapped(says, room).join(`\n${INDENT}`);
  const todoText = todo && `\n${INDENT}${wrapped(`→ ${todo}`, room).join(`\n${INDENT}  `)}`;
  return `  ${paint(mark, colour)} ${name.padEnd(NAME)} ${text}${todoText && paint(todoText, state === 'unasked' ? 90 : 1)}`;
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Sums up all lines in one sentence. */
function summaryOf(lines: Line[]): string {
  const count = (state: State) => lines.filter((line) => line.state === state).length;
  const parts = [
    count('broken') > 0 && counted(count('broken'), 'error', 'errors'),
    count('warning') > 0 && counted(count('warning'), 'warning', 'warnings'),
    count('unasked') > 0 && `${count('unasked')} skipped`,
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join(', ')}; ${count('ok')} work.` : `All ${lines.length} work.`;
}

/** The grouped list as text. */
export function report(title: string, lines: Line[], options: ReportOptions): string {
  const groups = [...new Set(lines.map(({ group }) => group))];
  const bold = (text: string) => (options.isColoured ? `\x1b[1m${text}\x1b[0m` : text);
  const parts = groups.map((group) =>
    [bold(group), ...lines.filter((line) => line.group === group).map((line) => lineText(line, options))].join('\n'),
  );
  return `${title}\n\n${parts.join('\n\n')}\n\n${summaryOf(lines)}\n`;
}

/** 1 if a check is broken or, with `isStrict`, has a warning. */
export const exitCodeOf = (lines: Line[], { isStrict }: { isStrict: boolean }): 0 | 1 =>
  lines.some(({ state }) => state === 'broken' || (isStrict && state === 'warning')) ? 1 : 0;
