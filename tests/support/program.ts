import { type SpawnOptions, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Starts a program that stays in the foreground. It ends with this process at the latest.
 * @param isUp Whether it is ready.
 * @throws With its output, if it ends before.
 */
export async function startProgram(
  path: string,
  args: string[],
  isUp: () => boolean | Promise<boolean>,
  options: Pick<SpawnOptions, 'env' | 'detached'> = {},
) {
  const child = spawn(path, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => {
    stderr += data;
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const onExit = () => void child.kill('SIGTERM');
  process.once('exit', onExit);
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`${path} ended:\n${stderr}`);
    await pause(20);
  }
  return {
    async stop() {
      process.off('exit', onExit);
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Whether a server answers at this address. */
export const isReachable = (url: string): Promise<boolean> =>
  fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );
