import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isKnownTemplate } from '../app/templates/registry.ts';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { type Content, createContent } from './content/content.ts';
import { type FakeWordpress, serveSite, startFakeWordpress } from './content/testing/fake-wordpress.ts';

const SITE = 'https://site.example';

let directory: string;
let wordpress: FakeWordpress;
let content: Content;
let app: Hono;
let errors: string[];

function open(source: 'bundled' | 'wordpress', bundleDirectory = join(import.meta.dirname, '../content')) {
  const given = { CONTENT_SOURCE: source, CONTENT_URL: wordpress.url, CONTENT_KEY: 'ck_a', CONTENT_SECRET: 'cs_a' };
  const read = readConfig({ ...given, SITE_URL: SITE, DATA_DIR: directory });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const log = (level: string, event: string) => void (level === 'error' && errors.push(event));
  content = createContent({
    source,
    wordpress: read.config.content.source === 'wordpress' ? read.config.content : null,
    dataDirectory: directory,
    bundleDirectory,
    isKnownTemplate,
    log,
  });
  const assets = { scripts: [], styles: [], preloads: [], fonts: [], extraHead: '' };
  app = createApp({
    config: read.config,
    content,
    assets: { build: 'test', forTemplate: () => assets },
    headers: { 'x-content-type-options': 'nosniff' },
    log,
  });
}

beforeEach(async () => {
  errors = [];
  directory = await mkdtemp(join(tmpdir(), 'pillion-app-'));
  wordpress = await startFakeWordpress();
  serveSite(wordpress);
  open('bundled');
});
afterEach(async () => {
  await content.close();
  await wordpress.stop();
  await rm(directory, { recursive: true, force: true });
});

const asPage = (path: string) => `/api/page?path=${encodeURIComponent(path)}`;

test('R29: whatever the page endpoint is asked for is a path of this site, never a host', async () => {
  for (const path of [
    '//',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/\\',
    '//[',
    '//a:b',
    '/..//elsewhere.example',
  ]) {
    const answer = await app.request(asPage(path));
    expect([301, 404], path).toContain(answer.status);
    expect(await answer.text(), path).not.toMatch(/"location":"(?!\/["a-z])/);
  }
  expect(errors).toEqual([]);
});

test('a page that does not exist names this site in its addresses, however it is asked for', async () => {
  for (const path of ['//elsewhere.example/', '//a:b/', '/%5Celsewhere.example', '//%5B']) {
    const answer = await app.request(`${SITE}${path}`);
    expect(answer.status, path).toBe(404);
    expect(await answer.text(), path).not.toMatch(/content="https?:\/\/(?!site\.example\/)/);
  }
  expect(errors).toEqual([]);
});
