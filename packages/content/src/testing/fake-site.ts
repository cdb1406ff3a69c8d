import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Content, type ContentOptions, createContent } from '../content.ts';
import { isKnownTemplate } from '../pages/templates.ts';
import { type FakeWordpress, serveSite, startFakeWordpress } from './fake-wordpress.ts';

/** A fake WordPress with the small site of `serveSite`, and a folder for what the server keeps. */
export interface FakeSite {
  wordpress: FakeWordpress;
  directory: string;
  /** Stops WordPress and removes the folder. What keeps files there is closed before. */
  stop: () => Promise<void>;
}

/** What the server authenticates with. The fake WordPress takes any. */
export const ACCESS = { key: 'ck_a', secret: 'cs_a' };

/** The repository's bundled copies. */
export const BUNDLE = join(import.meta.dirname, '../../../../tests/site/content');

/** @throws Where the folder or the socket cannot be made. */
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
 * Content as the server makes it: of the fake WordPress, with 1,500 ms for a call (the default of `CONTENT_TIMEOUT_MS`),
 * and the repository's bundled copies.
 * @param more What differs.
 * @returns To be closed before the site stops.
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
    isKnownTemplate,
    log: () => {},
    ...more,
  });
