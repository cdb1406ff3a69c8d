import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isReachable, startProgram } from './program.ts';
import { findFreePort } from './site.ts';

/** @throws If a text to replace is missing, because the test would then prove nothing. */
function replaceTexts(text: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`"${from}" is not in the file`);
    return result.replaceAll(from, to);
  }, text);
}

export type Nginx = Awaited<ReturnType<typeof runNginx>>;

/** Debian's nginx.conf around a site, without a daemon: it ends with the process that started it. */
const wrapConfig = (directory: string, httpConfig: string) => {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    ...['daemon off;', 'worker_processes 1;', `pid ${join(directory, 'pid')};`, 'error_log stderr;'],
    `events {} http { access_log off; gzip on; ${temporary.map((name) => `${name}_temp_path ${join(directory, name)};`).join(' ')}`,
    `${httpConfig}\n}`,
  ].join('\n');
};

/**
 * Starts nginx with `httpConfig` in its `http {}`.
 * @param directory An empty folder for this nginx.
 * @throws With its output, if it does not start.
 */
export async function runNginx(directory: string, httpConfig: string, port: number) {
  const file = join(directory, 'nginx.conf');
  mkdirSync(join(directory, 'cache'));
  writeFileSync(file, wrapConfig(directory, httpConfig));
  const url = `http://127.0.0.1:${port}`;
  const args = ['-c', file, '-p', directory, '-e', 'stderr'];
  const program = await startProgram('/usr/sbin/nginx', args, () => isReachable(`${url}/nothing-yet`));
  return { url, port, directory, accessLog: join(directory, 'access.log'), ...program };
}

/**
 * nginx with the files of `deploy/nginx`: addresses and folders are replaced, as their first lines say.
 * @param servers Ports of the servers behind it.
 * @param outForSeconds How long a server is taken out after two failures, if it differs from the file.
 */
export async function startNginx(directory: string, servers: number[], outForSeconds = 0) {
  const port = await findFreePort();
  cpSync('deploy/nginx/pillion', join(directory, 'pillion'), { recursive: true });
  const serversFile = readFileSync('deploy/nginx/pillion/servers.conf', 'utf8');
  const parameters = [...serversFile.matchAll(/server 127\.0\.0\.1:3001(.*)/g)].map(([, rest]) => rest);
  if (!parameters.length) throw new Error('servers.conf names no server');
  const serverLines = parameters
    .flatMap((rest) => servers.map((server) => `server 127.0.0.1:${server}${rest}\n`))
    .join('');
  writeFileSync(
    join(directory, 'pillion/servers.conf'),
    outForSeconds ? replaceTexts(serverLines, { 'fail_timeout=2s': `fail_timeout=${outForSeconds}s` }) : serverLines,
  );
  const config = replaceTexts(readFileSync('deploy/nginx/pillion.conf', 'utf8'), {
    '/var/cache/nginx/pillion': join(directory, 'cache'),
    '/var/log/nginx/access.log': join(directory, 'access.log'),
    '/var/log/nginx/error.log': join(directory, 'preview-errors.log'),
    'listen 80;': `listen 127.0.0.1:${port};`,
  });
  return runNginx(directory, config, port);
}
