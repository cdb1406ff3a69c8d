import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { bestEncoding, type Encoding } from './encoding.ts';

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Encodings of the compressed copies that the build writes next to its files. */
const ENCODINGS: Record<string, Encoding> = { '.br': 'br', '.gz': 'gzip' };

interface Asset {
  body: Buffer;
  headers: Record<string, string>;
}
type Variants = Partial<Record<Encoding, Asset>>;

/** Files of the browser's build by path. Those under `/assets/` have a content hash in their name and never change. */
function readAssets(directory: string, headers: Record<string, string>): Map<string, Variants> {
  const assets = new Map<string, Variants>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(directory.length);
    // `.vite/` contains the manifest, which only the server reads.
    if (!entry.isFile() || path.startsWith('/.')) continue;
    const encoding = ENCODINGS[extname(path)] ?? 'identity';
    const uncompressedPath = encoding === 'identity' ? path : path.slice(0, -extname(path).length);
    const body = readFileSync(file);
    const asset = { body, headers: { ...headers, ...fileHeaders(uncompressedPath, encoding, body.length) } };
    assets.set(uncompressedPath, { ...assets.get(uncompressedPath), [encoding]: asset });
  }
  return assets;
}

/** WordPress' block editor loads the site's styles and typefaces from another origin. */
const EDITOR_FILE = /^\/assets\/(?:editor-[^/]+\.css|[^/]+\.woff2)$/;

const fileHeaders = (path: string, encoding: Encoding, length: number): Record<string, string> => ({
  'content-type': CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
  'content-length': String(length),
  ...(path.startsWith('/assets/') ? CACHE.immutable : CACHE.buildFile),
  ...(EDITOR_FILE.test(path)
    ? { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }
    : {}),
  vary: 'Accept-Encoding',
  ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
});

/** Files without a compressed copy, such as fonts and pictures, are sent uncompressed. */
const pickVariant = (variants: Variants, accept: string) => variants[bestEncoding(accept)] ?? variants.identity;

/**
 * Sends files of the browser's build from memory, without the router. It is as fast as a server without code; a
 * static-file middleware reached 7% of that.
 * @param directory `build/client`, read once.
 * @param headers Sent with every file.
 * @param earlierBuilds Folders of earlier builds, whose hashed files are sent too, as some of their pages are still open.
 * @returns A function that returns `false` if the request is not for such a file.
 */
export function createAssets(directory: string, headers: Record<string, string>, earlierBuilds: string[] = []) {
  const assets = readAssets(directory, headers);
  for (const build of earlierBuilds)
    for (const [path, variants] of readAssets(build, headers))
      if (path.startsWith('/assets/') && !assets.has(path)) assets.set(path, variants);
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false;
    const variants = assets.get((req.url ?? '').split('?', 1)[0] ?? '');
    const asset = variants && pickVariant(variants, String(req.headers['accept-encoding'] ?? ''));
    if (!asset) return false;
    res.writeHead(200, asset.headers).end(req.method === 'HEAD' ? undefined : asset.body);
    return true;
  };
}
