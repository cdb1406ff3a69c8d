import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { iconSprite } from './icons.mjs';

test('R17: the sprite has an icon for each of the five networks, identical to the package’s', () => {
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
