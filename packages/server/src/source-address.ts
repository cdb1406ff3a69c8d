import { createRequire } from 'node:module';
import { cwd } from 'node:process';

const { resolve } = createRequire(import.meta.url);

/** @param name File that a package exports. @returns Its address on the development server. */
export function addressOfSource(name: string): string {
  const path = resolve(name);
  return path.startsWith(`${cwd()}/`) ? path.slice(cwd().length) : `/@fs${path}`;
}
