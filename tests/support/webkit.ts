import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Builder, Capabilities } from 'selenium-webdriver';
import { isReachable, startProgram } from './program.ts';
import { createFolder, findFreePort } from './site.ts';
import { startSoundCard } from './sound-card.ts';

/** WebKitGTK's own browser, from Debian's `libwebkit2gtk-4.1-0`. */
const BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

export type WebKit = Awaited<ReturnType<typeof startWebKit>>;

/** Starts an X server on a free display. */
async function startDisplay() {
  const child = spawn('/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(child.stdio[3] as NodeJS.ReadableStream, 'data');
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { name: `:${String(number).trim()}`, stop };
}

/**
 * GTK's settings decide what the browser reports as `prefers-reduced-motion`. Its toolbar is made small, because it
 * would make the window wider than a phone.
 */
function settingsFolder(isCalm: boolean): string {
  const folder = createFolder();
  mkdirSync(join(folder, 'gtk-3.0'));
  const settings = `[Settings]\ngtk-enable-animations=${isCalm ? 0 : 1}\ngtk-toolbar-icon-size=1\ngtk-toolbar-style=0\n`;
  writeFileSync(join(folder, 'gtk-3.0/settings.ini'), settings);
  writeFileSync(join(folder, 'gtk-3.0/gtk.css'), '* { min-width: 0; min-height: 0; padding: 0; font-size: 1px; }');
  return folder;
}

/**
 * Starts WebKitGTK, the engine of Safari and of every browser on iOS, and connects to it by WebDriver.
 * @param isCalm Whether the system asks for reduced motion.
 */
export async function startWebKit({ isCalm = false } = {}) {
  const [display, card, port] = await Promise.all([startDisplay(), startSoundCard(), findFreePort()]);
  const folder = settingsFolder(isCalm);
  const own = { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: folder, XDG_CONFIG_HOME: folder };
  const isListening = () => isReachable(`http://127.0.0.1:${port}/status`);
  const server = await startProgram('/usr/bin/WebKitWebDriver', [`--port=${port}`], isListening, {
    env: { ...own, DISPLAY: display.name, ...card.env },
  });
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation'] },
  });
  const driver = new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build();
  await driver;
  return {
    driver,
    async stop() {
      await driver.quit();
      await server.stop();
      await Promise.all([display.stop(), card.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
