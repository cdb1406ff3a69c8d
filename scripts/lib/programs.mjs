import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { withLock } from './lock.mjs';
import { Stop } from './project.mjs';
import { capture } from './run.mjs';

/**
 * Programs that the fault tests need besides databases and browsers: a proxy, a tracer of disk writes, the client that
 * `deploy/rolling-restart` uses, and `promtool`, which fires alerts.
 */
const FAULT_TEST_PROGRAMS = {
  '/usr/sbin/nginx': 'nginx',
  '/usr/bin/strace': 'strace',
  '/usr/bin/curl': 'curl',
  '/usr/bin/promtool': 'prometheus',
};

/** Debian's browsers, because no package registry has Playwright's. */
const BROWSERS = {
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

/** Programs that build and run the container image without a registry: a Debian, a builder and Docker's runtime. */
const CONTAINER_TOOLS = {
  '/usr/bin/mmdebstrap': 'mmdebstrap',
  '/usr/bin/buildah': 'buildah',
  '/usr/sbin/runc': 'runc',
};

/**
 * Web servers of `npm run test:hosts`. The packages without a version depend on the release's PHP.
 * @type {Readonly<Record<string, string>>}
 */
const WEB_SERVERS = {
  '/usr/sbin/nginx': 'nginx',
  '/usr/sbin/apache2': 'apache2-bin',
  '/usr/sbin/php-fpm*': 'php-fpm',
  '/usr/lib/apache2/modules/libphp*.so': 'libapache2-mod-php',
};

/**
 * Installs Debian packages when root.
 * @param {readonly string[]} packages
 * @throws Stop With the one line to run, exit code 77 ("cannot test here").
 */
export async function aptInstall(packages) {
  const command = `apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0) throw new Stop(`Some Debian packages are missing. Run: sudo ${command}`, 77);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await capture('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'update', '-qq'], { env });
  const [program = '', ...args] = command.split(' ');
  const { code, output } = await capture(program, args, { env });
  if (code !== 0) throw new Stop(`apt could not install ${packages.join(', ')}:\n${output.slice(-2000)}`, 77);
}

/** @param {string} path The version in the file's name can be `*`. */
function isInstalled(path) {
  const [prefix = '', suffix] = basename(path).split('*');
  if (suffix === undefined) return existsSync(path);
  const folder = dirname(path);
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(prefix) && name.endsWith(suffix));
}

/** @param {Readonly<Record<string, string>>} packagesByPath */
export const missingPackages = (packagesByPath) =>
  Object.entries(packagesByPath).flatMap(([path, name]) => (isInstalled(path) ? [] : [name]));

/** Installs Chromium, Firefox and WebKitGTK for the journeys. */
export const ensureBrowsers = () => ensureInstalled(BROWSERS);
export const ensurePrograms = () => ensureInstalled(FAULT_TEST_PROGRAMS);
export const ensureWebServers = () => ensureInstalled(WEB_SERVERS);
export const ensureContainerTools = () => ensureInstalled(CONTAINER_TOOLS);

/**
 * @param {Readonly<Record<string, string>>} packagesByPath
 * @returns The outcome for the step's line.
 * @throws Stop Exit code 77, if one is missing and cannot be installed.
 */
async function ensureInstalled(packagesByPath) {
  if (missingPackages(packagesByPath).length === 0) return 'there';
  return withLock(async () => {
    const packages = missingPackages(packagesByPath);
    if (packages.length > 0) await aptInstall(packages);
    return packages.length > 0 ? `installed ${packages.join(', ')}` : 'there';
  });
}
