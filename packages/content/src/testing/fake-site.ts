import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Content, type ContentOptions, createContent } from '../content.ts';
import { type FakeWordpress, serveSite, startFakeWordpress } from './fake-wordpress.ts';

/** A fake WordPress with the small site of `serveSite`, and a folder for the server's files. */
export interface FakeSite {
  wordpress: FakeWordpress;
  directory: string;
  /** Stops WordPress and deletes the folder. Close everything that writes to it first. */
  stop: () => Promise<void>;
}

/** Credentials of the server. The fake WordPress accepts any. */
export const ACCESS = { key: 'ck_a', secret: 'cs_a' };

/** The bundled copy of the fixture site. */
export const BUNDLE = join(import.meta.dirname, '../../../../tests/site/content');

/** @throws If the folder or the socket cannot be created. */
export async function startFakeSite(): Promise<FakeSite> {
  const directory = await mkdtemp(join(tmpdir(), 'pillion-test-'));
  const wordpress = await startFakeWordpress();
  serveSite(wordpress);
  return {
    wordpress,
    directory,
    stop: async () => {
      await wordpress.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Opens content like the server: from the fake WordPress, with 1,500 ms per call (the default of `CONTENT_TIMEOUT_MS`),
 * and the bundled copy of the fixture site.
 * @param more Options that differ.
 * @returns The content, which must be closed before the site stops.
 */
export const openContent = (
  { wordpress, directory }: Pick<FakeSite, 'wordpress' | 'directory'>,
  more: Partial<ContentOptions> = {},
): Content =>
  createContent({
    source: 'wordpress',
    wordpress: { url: wordpress.url, ...ACCESS, timeoutMs: 1500 },
    dataDirectory: directory,
    bundleDirectory: BUNDLE,
    log: () => {},
    ...more,
  });
