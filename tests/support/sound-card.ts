import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from './site.ts';

export interface SoundCard {
  /** Environment of a browser that plays to it. */
  env: { PULSE_SERVER: string };
  stop(): Promise<void>;
}

/**
 * A silent sound card for Firefox, whose audio does not run on a machine without one. Chromium has its
 * own. It is a PulseAudio server of this process only.
 */
export async function startSoundCard(): Promise<SoundCard> {
  const folder = temporaryFolder();
  const socket = join(folder, 'native');
  const child = spawn(
    '/usr/bin/pulseaudio',
    [
      '-n',
      '--daemonize=no',
      '--exit-idle-time=-1',
      '--use-pid-file=no',
      '--load=module-null-sink',
      `--load=module-native-protocol-unix socket=${socket} auth-anonymous=1`,
    ],
    { env: { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder }, stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (!existsSync(socket)) {
    if (child.exitCode !== null) throw new Error(`pulseaudio ended with ${child.exitCode}`);
    await pause(20);
  }
  return {
    env: { PULSE_SERVER: `unix:${socket}` },
    async stop() {
      child.kill();
      // It writes until its end.
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
