import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dropClickIds, keepCampaign, keepClickIds } from './keep-campaign.ts';

let kept: Record<string, string>;

/** A document whose visitor consents to marketing after its campaign was stored. */
function land(search: string): void {
  vi.stubGlobal('performance', { getEntriesByType: () => [{ name: `https://site.test/${search}` }] });
  keepCampaign(search, false);
  keepClickIds();
}

beforeEach(() => {
  kept = {};
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    removeItem: (key: string) => delete kept[key],
  };
  vi.stubGlobal('sessionStorage', Object.setPrototypeOf(kept, methods));
});
afterEach(() => vi.unstubAllGlobals());

test('the last campaign of a tab is that of the last document with one, also if it has only a click id', () => {
  land('?utm_source=letter');
  land('?gclid=AD');
  land('?city=Oslo');
  expect(kept).toEqual({ 'pillion-first': '?utm_source=letter', 'pillion-last': '?gclid=AD' });
});

test('the first campaign of a tab gets only the click ids of the same document', () => {
  land('?utm_source=letter&gclid=1');
  land('?utm_source=ad&gclid=2');
  expect(kept).toEqual({
    'pillion-first': '?utm_source=letter&gclid=1',
    'pillion-last': '?utm_source=ad&gclid=2',
  });
});

test('R47: without consent to marketing a tab keeps its campaigns and no click ids', () => {
  land('?gclid=1&utm_source=letter&li_fat_id=2&ref=club');
  land('?fbclid=3');
  dropClickIds();
  expect(kept).toEqual({ 'pillion-first': '&utm_source=letter&ref=club' });
  keepClickIds();
  expect(kept).toEqual({ 'pillion-first': '&utm_source=letter&ref=club', 'pillion-last': '?fbclid=3' });
});

test('R47: click ids that were dropped come back with a new consent on the same document', () => {
  land('?gclid=1&utm_source=letter');
  dropClickIds();
  keepClickIds();
  expect(kept).toEqual({
    'pillion-first': '?gclid=1&utm_source=letter',
    'pillion-last': '?gclid=1&utm_source=letter',
  });
});
