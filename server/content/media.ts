import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { ContentOptions } from './content.ts';
import { MEDIA_PREFIX } from './rewrite.ts';
import type { Wordpress } from './wordpress.ts';

const TYPES: Record<string, string> = {
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.mp3': 'audio/mpeg',
};

export interface Media {
  answer: (path: string, request: Request) => Promise<Response | null>;
  close: () => Promise<void>;
}

interface MediaOptions {
  bundleDirectory: string;
  cacheDirectory: string;
  origin: Wordpress | null;
  log: ContentOptions['log'];
}

export function createMedia({ bundleDirectory }: MediaOptions): Media {
  return {
    async answer(path, request) {
      const name = path.slice(MEDIA_PREFIX.length);
      const type = TYPES[extname(name).toLowerCase()];
      if (!type || !/^[\w-]+(\.[\w-]+)+$/.test(name)) return null;
      const file = join(bundleDirectory, name);
      const info = await stat(file).catch(() => null);
      if (!info?.isFile()) return null;
      const headers = { 'content-type': type, 'content-length': String(info.size) };
      const body = request.method === 'HEAD' ? null : (Readable.toWeb(createReadStream(file)) as ReadableStream);
      return new Response(body, { headers });
    },
    close: async () => {},
  };
}
