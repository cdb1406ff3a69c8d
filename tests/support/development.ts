import { rmSync } from 'node:fs';
import { isReachable, startProgram } from './program.ts';
import { createFolder, findFreePort } from './site.ts';

/** `npm run dev` as a developer uses it: the sources through Vite, on a free port. */
export async function startDevelopment(more: Record<string, string>) {
  const data = createFolder();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const site = { NODE_ENV: 'development', PILLION_SITE: 'tests/site', PORT: String(port), DATA_DIR: data };
  const env = { PATH: process.env.PATH, ...site, ...more };
  const { stop } = await startProgram(process.execPath, ['scripts/dev.mjs'], () => isReachable(url), { env });
  return {
    url,
    async stop() {
      await stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
