// Development of the kit: the site's development server, which also keeps the plugin's section files up to date.
import { execFile } from 'node:child_process';
import { startDevelopment } from '@pillion/server/vite/dev.mjs';
import { ROOT } from './lib/project.mjs';

const vite = await startDevelopment();

// Writes the plugin's section files again when a declaration changes. Server and WordPress then use them.
vite.watcher.on('all', (_event, path) => {
  if (!/\/packages\/react\/src\/(?:sections|templates)\/[^/]+\/(?:section\.ts|editor\.ts|edit\.\w+)$/.test(path))
    return;
  execFile(
    process.execPath,
    ['scripts/sections.mjs'],
    { cwd: ROOT },
    (error, _out, said) => error && console.error(said),
  );
});
