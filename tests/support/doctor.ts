import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { readConfig } from '@pillion/server/config/config.ts';
import { runChecks } from '@pillion/server/doctor/doctor.ts';
import type { Line } from '@pillion/server/doctor/finding.ts';
import { exitCodeOf } from '@pillion/server/doctor/report.ts';

/** What the doctor found. */
interface Examined {
  code: number | null;
  lines: Line[];
  /** The first line of a check, by its name, that is not ok. */
  of: (name: string) => Line | undefined;
}

/** Runs a command of a site as an operator would, with only the path of the shell's environment. */
export async function runCommand(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['packages/server/src/commands/run.ts', ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** @returns The lines that are not ok, without those about a slow webhook: on a busy machine it is slow. */
export const findProblems = (lines: Line[]) =>
  lines.filter(({ name, state, says }) => state !== 'ok' && !(name === 'webhook' && / in \d+ ms\.$/.test(says)));

const findByName = (lines: Line[]) => (name: string) => lines.find((line) => line.name === name && line.state !== 'ok');

/**
 * Runs the doctor in this process.
 * @param only Names of the checks to run. Default: all.
 */
export async function examineSite(env: Record<string, string>, only?: readonly string[]): Promise<Examined> {
  const read = readConfig(env);
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const lines = await runChecks({
    config: read.config,
    withSite: true,
    withTrial: false,
    asStranger: true,
    ...(only && { only }),
  });
  return { code: exitCodeOf(lines, { isStrict: false }), lines, of: findByName(lines) };
}

/** Runs `npm run doctor -- --json` and parses its output. */
export async function runDoctor(env: Record<string, string>, ...args: string[]): Promise<Examined> {
  const { code, stdout, stderr } = await runCommand(['doctor', '--json', ...args], env);
  if (!stdout.startsWith('{')) throw new Error(`The doctor said: ${stdout}${stderr}`);
  const { lines } = JSON.parse(stdout) as { lines: Line[] };
  return { code, lines, of: findByName(lines) };
}
