import { existsSync } from 'node:fs';
import { Stop } from './project.mjs';
import { capture } from './run.mjs';

/** Debian's browsers, because no package registry has Playwright's. */
const NEEDED = {
  '/usr/bin/chromium': 'chromium',
  '/usr/lib/chromium/chromium-headless-shell': 'chromium-headless-shell',
  '/usr/bin/firefox-esr': 'firefox-esr',
  '/usr/bin/WebKitWebDriver': 'webkit2gtk-driver',
  '/usr/bin/Xvfb': 'xvfb',
  '/usr/bin/xauth': 'xauth',
  // Firefox plays audio only with a sound card. PulseAudio provides a silent one for the journeys.
  '/usr/bin/pulseaudio': 'pulseaudio',
  '/usr/share/fonts/truetype/liberation': 'fonts-liberation',
};

/**
 * Installs Debian packages when root.
 * @param {readonly string[]} packages
 * @throws Stop With the one line to run, exit code 77 ("cannot test here").
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

/** Installs Chromium, Firefox and WebKitGTK for the journeys. @returns The outcome for the step's line. */
export async function ensureBrowsers() {
  const missing = Object.entries(NEEDED).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));
  if (missing.length === 0) return 'there';
  await aptInstall(missing);
  return `installed ${missing.join(', ')}`;
}
