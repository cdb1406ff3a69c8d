import { readConfig } from '../config/config.ts';
import { runChecks } from '../doctor/doctor.ts';
import type { Line } from '../doctor/finding.ts';
import { exitCodeOf, formatReport } from '../doctor/report.ts';

const OPTIONS = ['--trial', '--strict', '--json'];

/** One line for each sentence about the environment, which begins with the name of a variable. */
const configurationLines = (sentences: readonly string[], state: Line['state'], todo: string): Line[] =>
  sentences.map((says) => ({ group: 'Configuration', name: says.split(/[ :]/)[0] ?? '', state, says, todo }));

const HOW_TO_CORRECT = 'Correct it where the site is started';

/**
 * Checks the configured WordPress and says what to do. It reads the environment of the server and prints to the console.
 * The process ends with 0 if nothing is broken.
 * @param args `--trial` also sends a sign-up and removes it, `--strict` fails on warnings, `--json` prints one object.
 */
export async function runDoctor(args: string[]): Promise<void> {
  const unknown = args.filter((arg) => !OPTIONS.includes(arg));
  if (unknown.length > 0) {
    console.error(`Unknown option ${unknown.join(' ')}: use ${OPTIONS.join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const has = (option: string) => args.includes(option);
  const read = readConfig(process.env);
  const lines = read.ok
    ? [
        // The server prints them at its start too, such as names that are probably mistyped.
        ...configurationLines(read.warnings, 'warning', `${HOW_TO_CORRECT}.`),
        ...(await runChecks({ config: read.config, withSite: true, withTrial: has('--trial'), asStranger: true })),
      ]
    : configurationLines(
        read.problems,
        'broken',
        `${HOW_TO_CORRECT}; docs/how-to/operators.md of Pillion lists the variables.`,
      );
  const exitCode = exitCodeOf(lines, { isStrict: has('--strict') });

  if (has('--json')) {
    console.log(JSON.stringify({ ok: exitCode === 0, lines }, null, 2));
  } else {
    const title =
      read.ok && read.config.content.source === 'wordpress' ? `Pillion and ${read.config.content.url}` : 'Pillion';
    console.log(formatReport(title, lines));
  }
  // Set at the end without `process.exit`, because a pipe still reads the output.
  process.exitCode = exitCode;
}
