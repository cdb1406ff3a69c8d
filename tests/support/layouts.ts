import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningWordPress } from '@pillion/scripts/wordpress.mjs';

/** A WordPress with files outside its address. Both folders are relative to the web server's root. */
export interface Layout {
  core: string;
  content: string;
}

/** "Giving WordPress its own directory" (developer.wordpress.org, Advanced Administration). */
export const OWN_DIRECTORY: Layout = { core: 'cms', content: 'cms/wp-content' };

/** The folders of Roots' Bedrock. */
export const BEDROCK: Layout = { core: 'wp', content: 'app' };

type Addressed = Pick<RunningWordPress, 'directory' | 'url' | 'environment'>;

const MOVE_SCRIPT = join(import.meta.dirname, '../../scripts/wordpress/move.php');

function editConfig({ directory }: Addressed, change: (config: string) => string) {
  const file = join(directory, 'html/wp-config.php');
  const config = readFileSync(file, 'utf8');
  const changed = change(config);
  if (changed === config) throw new Error('nothing of wp-config.php was changed');
  writeFileSync(file, changed);
}

/** PHP caches a compiled file for some seconds: waits until WordPress has its new address. */
async function waitForAddress({ url }: Addressed, name: 'home' | 'url', address: string) {
  const reported = async () => {
    const answer = await fetch(`${url}/index.php?rest_route=/&_fields=${name}`);
    return answer.ok ? ((await answer.json()) as Record<string, unknown>)[name] : null;
  };
  while ((await reported()) !== address) await pause(100);
}

/** Moves the files of a running WordPress, as its operator would, and the addresses in its texts with them. */
export async function moveFiles(wordpress: Addressed, { core, content }: Layout): Promise<void> {
  const { directory, url, environment } = wordpress;
  const html = join(directory, 'html');
  const names = readdirSync(html).filter((name) => name !== 'wp-config.php');
  mkdirSync(join(html, core));
  for (const name of names) renameSync(join(html, name), join(html, core, name));
  if (!existsSync(join(html, content))) renameSync(join(html, core, 'wp-content'), join(html, content));
  // WordPress also reads a configuration above its folder.
  editConfig(wordpress, (config) =>
    config.replace(
      "define( 'WP_SITEURL', WP_HOME );",
      `define( 'WP_SITEURL', WP_HOME . '/${core}' );
define( 'WP_CONTENT_DIR', __DIR__ . '/${content}' );
define( 'WP_CONTENT_URL', WP_HOME . '/${content}' );`,
    ),
  );
  writeFileSync(
    join(html, 'index.php'),
    `<?php define( 'WP_USE_THEMES', true ); require __DIR__ . '/${core}/wp-blog-header.php';`,
  );
  // Only for PHP that a test runs: `php()` of tests/contract/wordpress.ts.
  writeFileSync(join(html, 'wp-load.php'), `<?php require __DIR__ . '/${core}/wp-load.php';`);
  const moved = [join(html, 'wp-load.php'), `${url}/wp-content/uploads`, `${url}/${content}/uploads`];
  const { status, stdout, stderr } = spawnSync('php', [MOVE_SCRIPT, ...moved], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  if (status !== 0) throw new Error(`The addresses were not moved: ${stdout}${stderr}`);
  await waitForAddress(wordpress, 'url', `${url}/${core}`);
}

/** Sets WordPress' Site Address (`home`) to another one; its own address does not change. */
export async function setHome(wordpress: Addressed, home: string): Promise<void> {
  editConfig(wordpress, (config) =>
    config
      .replaceAll(/(define\( 'WP_(?:SITEURL|CONTENT_URL)', )WP_HOME/g, `$1'${wordpress.url}'`)
      .replace(/define\( 'WP_HOME', .*/, `define( 'WP_HOME', '${home}' );`),
  );
  await waitForAddress(wordpress, 'home', home);
}
