import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import { runNginx } from '../support/nginx.ts';
import { startProgram } from '../support/program.ts';

export const WEB_SERVERS = ['nginx + FPM', 'Apache + FPM', 'Apache mod_php'] as const;
export type WebServer = (typeof WEB_SERVERS)[number];

/** Changes to a usual configuration. */
export interface Settings {
  /** Lines inside nginx' `server` in place of the usual ones, or in Apache's configuration. */
  server?: string;
  /** Lines inside nginx' `http`. */
  http?: string;
  php?: Record<string, string>;
}

export interface Served {
  stop: () => Promise<void>;
}

interface Place {
  /** Empty folder for configuration, logs and sockets. */
  directory: string;
  html: string;
  port: number;
  environment: Record<string, string>;
  /** WordPress is a network in folders: core's own rules for nginx. */
  isNetwork: boolean;
}

/** Debian's user of web servers. Apache does not run as root. */
export const WEB_USER = process.getuid?.() === 0 ? 'www-data' : null;

/** As the operator guide recommends, plus what lets a changed file take effect at once. */
const PHP = {
  upload_max_filesize: '11M',
  post_max_size: '12M',
  memory_limit: '256M',
  display_errors: '0',
  sendmail_path: '/bin/true',
  // PHP compares whole seconds. By default it does not cache a file in its first two, so no change goes unseen.
  'opcache.revalidate_freq': '0',
};

/** Files of sign-ups, as the operator guide recommends. */
export const NGINX = `client_max_body_size 12m;
  location ~ /uploads/(sites/\\d+/)?pillion/ { deny all; }`;

const accepts = (address: NetConnectOpts) =>
  new Promise<boolean>((resolve) => {
    const client = connect(address);
    client.once('connect', () => resolve(client.destroy() && true));
    client.once('error', () => resolve(false));
  });

/** @param at Where it listens once it is ready. */
const run = (path: string, args: string[], environment: Record<string, string>, at: NetConnectOpts) =>
  // Apache with prefork ends its whole process group.
  startProgram(path, args, () => accepts(at), { detached: true, env: { ...process.env, ...environment } });

/** Debian has the version in the program's name. */
function fpmProgram(): string {
  const name = readdirSync('/usr/sbin').find((entry) => /^php-fpm\d/.test(entry));
  if (!name) throw new Error('php-fpm is not installed');
  return join('/usr/sbin', name);
}

async function startFpm({ directory, environment }: Place, php: Record<string, string>) {
  const socket = join(directory, 'fpm.sock');
  const file = join(directory, 'fpm.conf');
  const lines = [
    '[global]',
    'daemonize = no',
    `error_log = ${join(directory, 'fpm.log')}`,
    '[www]',
    ...(WEB_USER ? [`user = ${WEB_USER}`, `group = ${WEB_USER}`] : []),
    `listen = ${socket}`,
    'listen.mode = 0666',
    'pm = static',
    'pm.max_children = 6',
    'clear_env = no',
    ...Object.entries(php).map(([name, value]) => `php_admin_value[${name}] = ${value}`),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const served = await run(fpmProgram(), ['-y', file], environment, { path: socket });
  return { socket, ...served };
}

/** Core's rules for a network in folders ("Multisite Network Administration", developer.wordpress.org). */
const NETWORK_RULES = `
  if (!-e $request_filename) {
    rewrite /wp-admin$ $scheme://$http_host$request_uri/ permanent;
    rewrite ^(/[^/]+)?(/wp-.*) $2 last;
    rewrite ^(/[^/]+)?(/.*\\.php)$ $2 last;
  }`;

const nginxServer = ({ html, port, isNetwork }: Place, socket: string, extraLines: string, http: string) => `
${http}
include /etc/nginx/mime.types;
server {
  listen 127.0.0.1:${port};
  root ${html};
  index index.php;
  ${isNetwork ? NETWORK_RULES : ''}
  ${extraLines}
  location / { try_files $uri $uri/ /index.php?$args; }
  location ~ \\.php$ {
    include /etc/nginx/fastcgi_params;
    fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
    fastcgi_pass unix:${socket};
  }
}`;

const MODULES = ['authz_core', 'dir', 'env', 'headers', 'mime', 'rewrite', 'setenvif'];
const MODULE_FOLDER = '/usr/lib/apache2/modules';

function phpModule(): string {
  const name = readdirSync(MODULE_FOLDER).find((entry) => /^libphp[\d.]+\.so$/.test(entry));
  if (!name) throw new Error('libapache2-mod-php is not installed');
  return `LoadModule php_module ${join(MODULE_FOLDER, name)}`;
}

/** As in Debian's `php-fpm.conf`. */
const fpmHandler = (socket: string) => `
SetEnvIfNoCase ^Authorization$ "(.+)" HTTP_AUTHORIZATION=$1
<FilesMatch ".+\\.ph(?:ar|p|tml)$">
  SetHandler "proxy:unix:${socket}|fcgi://localhost"
</FilesMatch>`;

function apacheConfig({ directory, html, port }: Place, modules: string[], php: string, extraLines: string): string {
  const load = (name: string) => `LoadModule ${name}_module ${join(MODULE_FOLDER, `mod_${name}.so`)}`;
  return [
    `ServerRoot ${directory}`,
    `DefaultRuntimeDir ${directory}`,
    `PidFile ${join(directory, 'apache.pid')}`,
    `ErrorLog ${join(directory, 'apache.log')}`,
    `Mutex file:${directory}`,
    `Listen 127.0.0.1:${port}`,
    'ServerName 127.0.0.1',
    // As nginx. After Apache's 5 s a POST of a test can meet a connection that is being closed.
    'KeepAliveTimeout 75',
    ...[...MODULES, ...modules].map(load),
    ...(WEB_USER ? [`User ${WEB_USER}`, `Group ${WEB_USER}`] : []),
    'TypesConfig /etc/mime.types',
    `DocumentRoot ${html}`,
    `<Directory ${html}>\nAllowOverride All\nRequire all granted\n</Directory>`,
    'DirectoryIndex index.php',
    php,
    extraLines,
  ].join('\n');
}

async function startApache(place: Place, config: string) {
  const file = join(place.directory, 'apache.conf');
  writeFileSync(file, `${config}\n`);
  const args = ['-DFOREGROUND', '-f', file];
  return run('/usr/sbin/apache2', args, place.environment, { host: '127.0.0.1', port: place.port });
}

async function startNginx(place: Place, socket: string, extraLines: string, http = '') {
  const directory = join(place.directory, 'nginx');
  mkdirSync(directory);
  return runNginx(directory, nginxServer(place, socket, extraLines, http), place.port);
}

/** Serves a WordPress as a host does. */
export async function serve(web: WebServer, place: Place, settings: Settings): Promise<Served> {
  const php = { ...PHP, ...settings.php };
  const extraLines = settings.server ?? (web === 'nginx + FPM' ? NGINX : '');
  if (web === 'Apache mod_php') {
    const values = Object.entries(php).map(([name, value]) => `php_admin_value ${name} ${value}`);
    const lines = [
      phpModule(),
      '<FilesMatch ".+\\.php$">\nSetHandler application/x-httpd-php\n</FilesMatch>',
      ...values,
    ];
    return startApache(place, apacheConfig(place, ['mpm_prefork'], lines.join('\n'), extraLines));
  }
  const { socket, stop } = await startFpm(place, php);
  try {
    const webServer =
      web === 'nginx + FPM'
        ? await startNginx(place, socket, extraLines, settings.http)
        : await startApache(
            place,
            apacheConfig(place, ['mpm_event', 'proxy', 'proxy_fcgi'], fpmHandler(socket), extraLines),
          );
    return {
      async stop() {
        await webServer.stop();
        await stop();
      },
    };
  } catch (cause) {
    await stop();
    throw cause;
  }
}
