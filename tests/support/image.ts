import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { withLock } from '@pillion/scripts/lib/lock.mjs';
import { createFolder } from './site.ts';

const FILE = 'deploy/container/Containerfile';
/** The image that the container file starts from: its name, Node's version and Debian's release. */
const [, BASE = '', NODE = '', RELEASE = ''] =
  /^FROM (\S+\/node:([\d.]+)-(\w+)-slim)$/m.exec(readFileSync(FILE, 'utf8')) ?? [];
/** User `node` of Node's image. */
const USER = 1000;
const CACHED_BASE = `.cache/container-base-${NODE}-${RELEASE}.tar`;
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Runs a program with the Node of the tests. @throws With its output, if it fails. */
async function run(program: string, args: string[], cwd = process.cwd()): Promise<string> {
  const { NODE_ENV: _, ...inherited } = process.env;
  const env = { ...inherited, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [out, said, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${(out + said).slice(-4000)}`);
  return out;
}

/**
 * Makes a replacement of Node's image, because tests reach no image registry: the same release of Debian with fewer
 * packages, and the same Node from npm.
 */
async function createBaseImage(folder: string): Promise<void> {
  const root = join(folder, 'root');
  const packages = 'base-files,base-passwd,coreutils,dash,libstdc++6';
  await run('mmdebstrap', ['--quiet', '--mode=root', '--variant=extract', `--include=${packages}`, RELEASE, root]);
  const node = `node-linux-${process.arch}`;
  const npmFolder = join(folder, 'npm');
  mkdirSync(npmFolder);
  await run('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', npmFolder, `${node}@${NODE}`, 'npm@11']);
  const [bin, library] = [join(root, 'usr/local/bin'), join(root, 'usr/local/lib/node_modules')];
  for (const place of [bin, library, join(root, 'home/node')]) mkdirSync(place, { recursive: true });
  cpSync(join(npmFolder, 'node_modules', node, 'bin/node'), join(bin, 'node'));
  cpSync(join(npmFolder, 'node_modules/npm'), join(library, 'npm'), { recursive: true, verbatimSymlinks: true });
  for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(bin, name));
  writeFileSync(join(bin, 'docker-entrypoint.sh'), '#!/bin/sh\nexec "$@"\n');
  chmodSync(join(bin, 'docker-entrypoint.sh'), 0o755);
  writeFileSync(join(root, 'etc/passwd'), `root:x:0:0::/root:/bin/sh\nnode:x:${USER}:${USER}::/home/node:/bin/sh\n`);
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nnode:x:${USER}:\n`);
  chownSync(join(root, 'home/node'), USER, USER);
  await run('tar', ['--create', '--file', `${CACHED_BASE}-new`, '--directory', root, '.']);
  renameSync(`${CACHED_BASE}-new`, CACHED_BASE);
}

/** Settings with which npm finds its registry on this machine, for the build alone. @returns Options of buildah. */
function createNpmOptions(folder: string): string[] {
  const certificates = [process.env.NODE_EXTRA_CA_CERTS, CERTIFICATES].find((path) => path && existsSync(path));
  const settings = Object.entries(process.env).flatMap(([name, value]) => {
    const key = /^npm_config_(registry|proxy|https_proxy|noproxy)$/i.exec(name)?.[1];
    return key ? [`${key.toLowerCase().replace('_', '-')}=${value}`] : [];
  });
  if (certificates) settings.push('cafile=/run/machine-certificates.crt');
  const config = join(folder, 'npmrc');
  writeFileSync(config, settings.join('\n'));
  const volumes = { [config]: '/usr/local/etc/npmrc', [join(homedir(), '.npmrc')]: '/root/.npmrc' };
  if (certificates) volumes[certificates] = '/run/machine-certificates.crt';
  return Object.entries(volumes).flatMap(([from, to]) => (existsSync(from) ? ['--volume', `${from}:${to}:ro`] : []));
}

interface ImageConfig {
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  User: string;
  StopSignal: string;
  Healthcheck: { Test: [string, string] };
}

export type Image = Awaited<ReturnType<typeof buildImage>>;

/** Builds the image with the repository's container file. @throws With the builder's output. */
export async function buildImage() {
  const folder = createFolder();
  try {
    return await buildImageIn(folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** @param folder For everything that the build writes. */
async function buildImageIn(folder: string) {
  await withLock(async () => {
    if (!existsSync(CACHED_BASE)) await createBaseImage(folder);
  });
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const buildah = async (...args: string[]) => (await run('buildah', [...store, ...args])).trim();
  const base = await buildah('from', 'scratch');
  await buildah('add', '--quiet', base, CACHED_BASE, '/');
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  await buildah('config', '--env', path, '--entrypoint', '["docker-entrypoint.sh"]', '--cmd', 'node', base);
  await buildah('commit', '--quiet', '--rm', base, BASE);
  const buildOptions = ['--isolation', 'chroot', '--pull-never', '--format', 'docker', ...createNpmOptions(folder)];
  await buildah('bud', ...buildOptions, '--file', FILE, '--tag', 'pillion', '.');
  /** @returns Another file system with the image's files, to change. */
  const copy = async () => buildah('mount', await buildah('from', '--pull-never', 'localhost/pillion'));
  const inspected = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/pillion'));
  const archive = join(folder, 'packed');
  await buildah('push', '--quiet', 'localhost/pillion', `oci:${archive}`);
  const blob = (digest: string) => JSON.parse(readFileSync(join(archive, 'blobs/sha256', digest.slice(7)), 'utf8'));
  const [manifest] = JSON.parse(readFileSync(join(archive, 'index.json'), 'utf8')).manifests;
  const [first = 0, ...others] = blob(manifest.digest).layers.map(({ size }: { size: number }) => size / 1e6);
  return {
    /** Its file system. */
    root: await copy(),
    config: inspected.Docker.config as ImageConfig,
    copy,
    /** Sizes in megabytes, compressed with gzip as in registries. */
    layers: { base: first, own: others.reduce((sum: number, size: number) => sum + size, 0) },
    remove() {
      spawnSync('buildah', [...store, 'umount', '--all']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Container = ReturnType<typeof startContainer>;

const mount = (destination: string, type: string, source: string, options: string[]) => ({
  ...{ destination, type, source, options },
});

/**
 * Starts a container with the limits of `compose.yaml`: a read-only root, no capabilities, no new privileges. It has the
 * network of the machine, and no limits of memory and open files, which need further rights on the machine.
 * @param root File system of the image.
 * @param given Its port, the folder of its volume, and more variables.
 */
export function startContainer(
  { config }: Image,
  root: string,
  { port, data, env = {} }: { port: number; data: string; env?: Record<string, string> },
) {
  const bundle = createFolder();
  const id = `pillion-${process.pid}-${port}-${Date.now()}`;
  // A new volume gets the owner of the folder in the image.
  chownSync(data, USER, USER);
  const settings = { ...env, PORT: String(port) };
  const namespaces = ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type }));
  const shown = ['/proc/kcore', '/proc/keys', '/proc/timer_list', '/sys/firmware'];
  writeFileSync(
    join(bundle, 'config.json'),
    JSON.stringify({
      ociVersion: '1.0.2',
      hostname: `site-${port}`,
      root: { path: root, readonly: true },
      process: {
        ...{ cwd: config.WorkingDir, args: [...config.Entrypoint, ...config.Cmd], noNewPrivileges: true },
        user: config.User === 'node' ? { uid: USER, gid: USER } : { uid: 0, gid: 0 },
        env: [...config.Env, 'HOME=/home/node', ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)],
      },
      mounts: [
        mount('/proc', 'proc', 'proc', ['nosuid', 'noexec', 'nodev']),
        mount('/dev', 'tmpfs', 'tmpfs', ['nosuid', 'strictatime', 'mode=755', 'size=65536k']),
        mount('/tmp', 'tmpfs', 'tmpfs', ['nosuid', 'nodev']),
        mount('/var/lib/pillion', 'bind', data, ['bind', 'rw']),
      ],
      linux: { namespaces, maskedPaths: shown, readonlyPaths: ['/proc/sys'] },
    }),
  );
  const runc = ['--root', join(bundle, 'state'), '--rootless', 'true'];
  const child = spawn('runc', [...runc, 'run', '--no-new-keyring', '--bundle', bundle, id], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (printed += data));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).finally(() =>
    rmSync(bundle, { recursive: true, force: true }),
  );
  /** Runs a shell command in the container as its user. */
  const exec = (command: string) => {
    const { status, stdout, stderr } = spawnSync('runc', [...runc, 'exec', id, 'sh', '-c', command], {
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };
  return {
    ...{ url: `http://127.0.0.1:${port}`, port, data, exec },
    /** Runs the image's health check. @throws With the container's output, if it has ended. */
    isHealthy() {
      const end = child.exitCode ?? child.signalCode;
      if (end !== null) throw new Error(`the container ended with ${end}:\n${printed}`);
      return exec(config.Healthcheck.Test[1]).status === 0;
    },
    /** @returns Its exit code. */
    end(signal: 'TERM' | 'KILL') {
      if (child.exitCode === null) spawnSync('runc', [...runc, 'kill', id, signal]);
      return ended;
    },
    output: () => printed,
  };
}
