import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchOptions } from '@playwright/test';
import { startProgram } from './program.ts';
import { createFolder } from './site.ts';

/**
 * A silent sound card for Firefox, whose audio does not run on a machine without one. Chromium has its
 * own. It is a PulseAudio server of this process only.
 */
export async function startSoundCard() {
  const folder = createFolder();
  const socket = join(folder, 'native');
  const own = ['-n', '--daemonize=no', '--exit-idle-time=-1', '--use-pid-file=no', '--load=module-null-sink'];
  const protocol = `--load=module-native-protocol-unix socket=${socket} auth-anonymous=1`;
  const env = { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder };
  const card = await startProgram('/usr/bin/pulseaudio', [...own, protocol], () => existsSync(socket), { env });
  return {
    /** Environment of a browser that plays to it. */
    env: { PULSE_SERVER: `unix:${socket}` },
    async stop() {
      // It writes until its end.
      await card.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The fixture `launchOptions` of a worker: Firefox gets a sound card, which the tests of the worker share. */
export async function withSoundCard(
  { launchOptions, browserName }: { launchOptions: LaunchOptions; browserName: string },
  use: (options: LaunchOptions) => Promise<void>,
): Promise<void> {
  if (browserName !== 'firefox') return use(launchOptions);
  const card = await startSoundCard();
  await use({ ...launchOptions, env: { ...(process.env as Record<string, string>), ...card.env } });
  await card.stop();
}
