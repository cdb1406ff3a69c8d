// Checks the configured WordPress and says what to do: `npm run doctor`. It reads the environment of `npm start`.
// `-- --trial` also sends a sign-up and removes it, `--strict` fails on warnings, `--json` prints one object.
import { readConfig } from '@pillion/server/config/config.ts';
import { examine } from '@pillion/server/doctor/doctor.ts';
import { exitCodeOf, report } from '@pillion/server/doctor/report.ts';

/** @typedef {import('@pillion/server/doctor/finding.ts').Line} Line */

const OPTIONS = ['--trial', '--strict', '--json'];

/** Longest line on a wide screen. */
const WIDEST = 120;

/** @param {string} sentence A sentence that begins with the name of a variable. */
const nameIn = (sentence) => sentence.split(/[ :]/)[0] ?? '';

const words = process.argv.slice(2);
const unknown = words.filter((word) => !OPTIONS.includes(word));
if (unknown.length > 0) {
  console.error(`Unknown option ${unknown.join(' ')}: use ${OPTIONS.join(', ')}.`);
  process.exit(2);
}
/** @param {string} option */
const has = (option) => words.includes(option);

/**
 * Warnings that the server also prints at its start, such as names that are probably mistyped.
 * @param {readonly string[]} warnings
 * @returns {Line[]}
 */
const warningLines = (warnings) =>
  warnings.map((warning) => ({
    group: 'Configuration',
    name: nameIn(warning),
    state: 'warning',
    says: warning,
    todo: 'Correct it where the site is started.',
  }));

/**
 * Problems of the environment, in the format of all other findings.
 * @param {readonly string[]} problems
 * @returns {Line[]}
 */
const problemLines = (problems) =>
  problems.map((problem) => ({
    group: 'Configuration',
    name: nameIn(problem),
    state: 'broken',
    says: problem,
    todo: 'Correct it where the site is started; docs/how-to/operators.md lists the variables.',
  }));

const read = readConfig(process.env);
const lines = read.ok
  ? [
      ...warningLines(read.warnings),
      ...(await examine({ config: read.config, withSite: true, withTrial: has('--trial'), asStranger: true })),
    ]
  : problemLines(read.problems);
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
