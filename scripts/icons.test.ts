import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { iconSprite } from './icons.mjs';

test('R17: the sprite holds a mark for each of the five networks, as the package draws them', () => {
  const committed = readFileSync('packages/react/src/ui/icons.svg', 'utf8');
  expect(committed).toBe(iconSprite());
  expect([...committed.matchAll(/symbol[^>]* id="(\w+)"/g)].map((match) => match[1])).toEqual([
    'twitter',
    'twitch',
    'linkedin',
    'instagram',
    'facebook',
  ]);
});
