import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** @param {string} name Name of a package. */
const aboutOf = (name) => require(`${name}/package.json`);

/**
 * Checks that all packages of the kit have the same version.
 * @throws If versions differ; the message says what to install.
 */
export function checkVersions() {
  const { version, dependencies } = aboutOf('@pillion/server');
  const other = Object.keys(dependencies)
    .filter((name) => name.startsWith('@pillion/') && aboutOf(name).version !== version)
    .map((name) => `${name} ${aboutOf(name).version}`);
  if (other.length > 0)
    throw new Error(
      `@pillion/server has version ${version}, but these packages have another: ${other.join(', ')}. Install all packages of Pillion in the same version.`,
    );
}
