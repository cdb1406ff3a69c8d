import { readConfig } from '../config/config.ts';
import { examine } from '../doctor/doctor.ts';
import type { Line } from '../doctor/finding.ts';
import { exitCodeOf, report } from '../doctor/report.ts';

const OPTIONS = ['--trial', '--strict', '--json'];

/** Longest line on a wide screen. */
const WIDEST = 120;

/** @param sentence A sentence that begins with the name of a variable. */
const nameIn = (sentence: string) => sentence.split(/[ :]/)[0] ?? '';

/** Sentences about the environment in the format of all other findings. */
const configurationLines = (sentences: readonly string[], state: Line['state'], todo: string): Line[] =>
  sentences.map((says) => ({ group: 'Configuration', name: nameIn(says), state, says, todo }));

const CORRECT = 'Correct it where the site is started';

/**
 * Checks the configured WordPress and says what to do. It reads the environment of the server and prints to the console.
 * The process ends with 0 if nothing is broken.
 * @param words `--trial` also sends a sign-up and removes it, `--strict` fails on warnings, `--json` prints one object.
 */
export async function runDoctor(words: string[]): Promise<void> {
  const unknown = words.filter((word) => !OPTIONS.includes(word));
  if (unknown.length > 0) {
    console.error(`Unknown option ${unknown.join(' ')}: use ${OPTIONS.join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const has = (option: string) => words.includes(option);
  const read = readConfig(process.env);
  const lines = read.ok
    ? [
        // The server prints them at its start too, such as names that are probably mistyped.
        ...configurationLines(read.warnings, 'warning', `${CORRECT}.`),
        ...(await examine({ config: read.config, withSite: true, withTrial: has('--trial'), asStranger: true })),
      ]
    : configurationLines(
        read.problems,
        'broken',
        `${CORRECT}; docs/how-to/operators.md of Pillion lists the variables.`,
      );
  const code = exitCodeOf(lines, { isStrict: has('--strict') });

  if (has('--json')) {
    console.log(JSON.stringify({ ok: code === 0, lines }, null, 2));
  } else {
    const isScreen = process.stdout.isTTY === true;
    const title =
      read.ok && read.config.content.source === 'wordpress' ? `Pillion and ${read.config.content.url}` : 'Pillion';
    const options = {
      isColoured: isScreen && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
      width: isScreen ? Math.min(WIDEST, process.stdout.columns) : 0,
    };
    console.log(report(title, lines, options));
  }
  // Set at the end without `process.exit`, because a pipe still reads the output.
  process.exitCode = code;
}
