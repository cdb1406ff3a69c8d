import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWordPress } from '@pillion/scripts/wordpress.mjs';
import type { TestProject } from 'vitest/node';

/** What a test needs to know about the running WordPress. Vitest passes it from this process to the tests. */
export interface SharedWordPress {
  url: string;
  port: number;
  directory: string;
  key: string;
  secret: string;
  admin: { user: string; password: string; applicationPassword: string };
  environment: Record<string, string>;
}

declare module 'vitest' {
  export interface ProvidedContext {
    wordpress: SharedWordPress;
  }
}

/** Starts one seeded WordPress for the whole run and removes it afterwards. Tests restore what they change. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'pillion-wordpress-'));
  const { stop, ended: _ended, ...wordpress } = await startWordPress({ directory });
  project.provide('wordpress', wordpress);
  return async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  };
}
