import { existsSync } from 'node:fs';
import { Stop } from './project.mjs';
import { capture } from './run.mjs';

/** Debian's own browsers: Playwright's cannot be fetched from a package registry. */
const NEEDED = {
  '/usr/bin/chromium': 'chromium',
  '/usr/bin/firefox-esr': 'firefox-esr',
  '/usr/bin/Xvfb': 'xvfb',
  '/usr/bin/xauth': 'xauth',
  // Firefox plays only where there is a sound card: the journeys give it one that swallows everything.
  '/usr/bin/pulseaudio': 'pulseaudio',
  '/usr/share/fonts/truetype/liberation': 'fonts-liberation',
};

/**
 * Installs Debian packages when root.
 * @param {readonly string[]} packages
 * @throws Stop with the one line to run, exit code 77 ("cannot test here").
 */
export async function aptInstall(packages) {
  const line = `apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0) throw new Stop(`Some Debian packages are missing. Run: sudo ${line}`, 77);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await capture('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'update', '-qq'], { env });
  const [command = '', ...args] = line.split(' ');
  const { code, output } = await capture(command, args, { env });
  if (code !== 0) throw new Stop(`apt could not install ${packages.join(', ')}:\n${output.slice(-2000)}`, 77);
}

/** Chromium and Firefox for the journeys. @returns What came of it. */
export async function ensureBrowsers() {
  const missing = Object.entries(NEEDED).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));
  if (missing.length === 0) return 'there';
  await aptInstall(missing);
  return `installed ${missing.join(', ')}`;
}
