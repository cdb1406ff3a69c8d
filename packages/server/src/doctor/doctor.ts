import type { Config } from '../config/config.ts';
import { ACCESS, KEY, STRANGER } from './access.ts';
import { CONNECTION, REACH } from './connection.ts';
import { CONTENT } from './content.ts';
import { DESTINATION_FIELDS } from './destination.ts';
import { EDITOR } from './editor.ts';
import { broken, type Line, skipped } from './finding.ts';
import { FORMS } from './forms.ts';
import { type Check, createProbe, type Probe } from './probe.ts';
import { SITE } from './site.ts';
import { TRIAL } from './trial.ts';

export interface DoctorOptions {
  config: Config;
  /** Check the site at SITE_URL too, with a test message from WordPress. */
  withSite: boolean;
  /** Send a test sign-up, which the plugin deletes again. */
  withTrial: boolean;
  /** Also send requests without the key, like any client. */
  asStranger: boolean;
  /** Names of the checks to run, besides those of the connection. Default: all. */
  only?: readonly string[];
}

const NO_TRIAL: Line = {
  group: 'Trial',
  name: 'sign-up',
  ...skipped('The trial sign-up is sent only on request.', 'npm run doctor -- --trial sends a sign-up and deletes it.'),
};

const BUNDLED: Line = {
  group: 'Configuration',
  name: 'source',
  ...broken(
    'CONTENT_SOURCE is “bundled”: the site shows its own copies, and there is no WordPress to check.',
    'Set CONTENT_SOURCE=wordpress with CONTENT_URL, CONTENT_KEY and CONTENT_SECRET.',
  ),
};

/** Replaces all other checks if WordPress does not answer. */
const OTHER_CHECKS_SKIPPED: Line = {
  group: 'Everything else',
  name: '',
  ...skipped('WordPress must first respond and accept the key.'),
};

/** Runs one check. If the check itself fails, its line says so. Never rejects. */
async function runCheck({ group, name, run }: Check, probe: Probe): Promise<Line[]> {
  const found = await run(probe).catch((error: unknown) => skipped(`The check failed: ${String(error)}.`));
  return [found].flat().map((finding) => ({ group, name, ...finding }));
}

/**
 * Runs all checks against the configured WordPress, one after another, to avoid overloading a small host.
 * @returns One line or more for each check, in the order of the list. If WordPress cannot be read, one line
 * replaces the rest. Never rejects.
 */
export async function runChecks({ config, withSite, withTrial, asStranger, only }: DoctorOptions): Promise<Line[]> {
  if (config.content.source !== 'wordpress') return [BUNDLED];
  const probe = createProbe(config);
  const checks = [
    ...[CONNECTION, ACCESS, asStranger ? STRANGER : [], CONTENT, EDITOR, FORMS, DESTINATION_FIELDS].flat(),
    ...(withSite ? SITE : []),
    ...(withTrial ? TRIAL : []),
  ].filter(({ name }) => !only || only.includes(name));
  const lines: Line[] = [];
  try {
    for (const check of REACH) {
      lines.push(...(await runCheck(check, probe)));
      if (lines.some(({ state }) => state === 'broken')) break;
    }
    if ((await probe.index()) === null) {
      // A wrong key is one of the causes. `OTHER_CHECKS_SKIPPED` replaces the lines of skipped checks.
      lines.push(...(await runCheck(KEY, probe)));
      return [...lines.filter(({ state }) => state !== 'unasked'), OTHER_CHECKS_SKIPPED];
    }
    for (const check of checks) lines.push(...(await runCheck(check, probe)));
  } finally {
    probe.close();
  }
  return withSite && !withTrial ? [...lines, NO_TRIAL] : lines;
}
