import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Compared } from './compare.ts';
import type { TrialResult } from './run-trials.ts';

const PAGE = join(import.meta.dirname, '../../docs/reference/gravity-forms.md');
const BEGIN = '<!-- Made by npm run test:plugins: begin -->';
const END = '<!-- Made by npm run test:plugins: end -->';

/** A cell is one line without unescaped `|`. */
const escapeCell = (text: string) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').trim();

/** Parts that are listed without their content. */
const NAMED_ONLY = new Set(['mails', 'post', 'notes']);

const shorten = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value ?? '') ?? '');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text === '' || text === '""' ? 'nothing' : text;
};

function formatDifference({ finding, differences, words, undrawn }: Compared): string {
  const members = finding === 'refused by both' ? {} : { ...differences, ...words };
  const changes = Object.entries(members)
    .filter(([, [native, ours]]) => (native || '') !== (ours || ''))
    .map(([name, [native, ours]]) => (NAMED_ONLY.has(name) ? name : `${name}: ${shorten(native)} → ${shorten(ours)}`));
  return [undrawn.length > 0 ? `not shown: ${undrawn.join(', ')}` : '', ...changes].filter(Boolean).join('; ');
}

function formatRows(results: Iterable<[string, TrialResult]>): string[] {
  return [...results].map(([key, { compared }]) => {
    const sameWords = compared.finding === 'refused by both' && Object.keys(compared.words).length === 0;
    const finding = sameWords ? 'refused by both, in the same words' : compared.finding;
    return `| ${escapeCell(key)} | ${finding} | ${escapeCell(formatDifference(compared))} |`;
  });
}

/**
 * Writes the results of a whole run into the documents, between two marks.
 * @param version Of Gravity Forms.
 * @throws If the marks are missing.
 */
export function writeTable(results: Map<string, TrialResult>, version: string, now = new Date()): void {
  const text = readFileSync(PAGE, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has lost the marks between which the table stands.`);
  const table = [
    BEGIN,
    '',
    `Gravity Forms ${version}, ${now.toISOString().slice(0, 10)}, ${results.size} answers sent on either way.`,
    '',
    '| form and answer | outcome | difference: its own page → through Pillion |',
    '| --- | --- | --- |',
    ...formatRows(results),
    '',
  ].join('\n');
  writeFileSync(PAGE, text.slice(0, begin) + table + text.slice(end));
}
