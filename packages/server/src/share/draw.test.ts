import type { Card } from '@pillion/content/pages/share-card.ts';
import { expect, test } from 'vitest';
import { drawSharePicture } from './draw.ts';
import { createTypesetter } from './type.ts';

test('a logo may have its stroke width on its root', async () => {
  const logo =
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" stroke="currentColor" stroke-width="2"><path d="M0 12h24"/></svg>';
  const card: Card = {
    ...{ title: [], kicker: '', brand: 'Brand', logo },
    ...{ theme: 'dark' as const, picture: null, isChosen: false },
  };
  const typesetter = await createTypesetter();
  const withLogo = await drawSharePicture(card, null, typesetter);
  expect(withLogo).not.toEqual(await drawSharePicture({ ...card, logo: null, brand: '' }, null, typesetter));
});
