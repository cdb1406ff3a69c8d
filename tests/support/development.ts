import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createFolder, findFreePort } from './site.ts';

/** `npm run dev` as a developer uses it: the sources through Vite, on a free port. */
export async function startDevelopment(env: Record<string, string> = {}) {
  const data = createFolder();
  const port = await findFreePort();
  const child = spawn(process.execPath, ['scripts/dev.mjs'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      PILLION_SITE: 'tests/site',
      ...env,
      PORT: String(port),
      DATA_DIR: data,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let printed = '';
  const url = `http://127.0.0.1:${port}`;
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        printed += data;
        if (printed.includes(url)) resolve();
      });
    child.once('exit', (code) => reject(new Error(`npm run dev ended with ${code}:\n${printed}`)));
  });
  return {
    url,
    async stop() {
      child.kill();
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}
