import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CAMPAIGN_PARAMETERS } from './campaign-parameters.ts';

test('nginx removes the campaign parameters that the server names in No-Vary-Search', () => {
  const rule = readFileSync('deploy/nginx/pillion/campaign-parameters.conf', 'utf8');
  expect(/\(\(\?:([^)]+)\)/.exec(rule)?.[1]?.split('|').sort()).toEqual(CAMPAIGN_PARAMETERS.toSorted());
});

test('the container of nginx has every file that its configuration includes', () => {
  const included = readFileSync('deploy/nginx/pillion.conf', 'utf8').matchAll(/include (pillion\/\S+);/g);
  const compose = readFileSync('deploy/container/compose.yaml', 'utf8');
  const missing = [...included].map(([, file]) => file).filter((file) => !compose.includes(`:/etc/nginx/${file}:ro`));
  expect(missing).toEqual([]);
});
