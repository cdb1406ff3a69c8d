import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Content } from '@pillion/content/content.ts';
import { addressOfCard, type Card } from '@pillion/content/pages/share-card.ts';
import { NEUTRAL_PALETTE } from '@pillion/content/palette.ts';
import { expect, test } from 'vitest';
import { drawSharePicture } from './draw.ts';
import { createSharePictures } from './pictures.ts';
import { createTypesetter } from './type.ts';

const CARD: Card = {
  ...{ title: [{ text: 'Title', mark: null }], kicker: '', brand: 'Brand', logo: null },
  ...{ theme: 'dark' as const, picture: null, isChosen: false },
};

test('a logo may have its stroke width on its root', async () => {
  const logo =
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" stroke="currentColor" stroke-width="2"><path d="M0 12h24"/></svg>';
  const card: Card = { ...CARD, title: [], logo };
  const typesetter = await createTypesetter();
  const withLogo = await drawSharePicture(card, null, typesetter);
  expect(withLogo).not.toEqual(await drawSharePicture({ ...card, logo: null, brand: '' }, null, typesetter));
});

test('a share picture is drawn if the font of an earlier one could not be read, but now can', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pillion-share-'));
  const font = join(folder, 'font.ttf');
  const typeface = { files: [font] };
  const cardOf = (path: string): Card => ({ ...CARD, title: [{ text: path, mark: null }] });
  const content = {
    ...{ onMediaChanged() {}, languageOf: async () => 'en', media: async () => null, picture: async () => null },
    shared: async (path: string) => ({ card: cardOf(path), picture: { src: '' } }),
  };
  const pictures = createSharePictures({
    ...{ content: content as unknown as Content, dataDirectory: folder, log() {} },
    look: {
      paletteOf: () => NEUTRAL_PALETTE,
      typefaces: { display: typeface, emphasis: typeface, label: typeface },
    },
  });
  const statusOf = async (path: string) => {
    const address = addressOfCard(cardOf(path), path);
    return (await pictures.respond(address, new Request(`https://site.example${address}`)))?.status;
  };
  expect(await statusOf('/earlier/')).not.toBe(200);
  copyFileSync('packages/server/src/share/fonts/latin.ttf', font);
  expect(await statusOf('/later/')).toBe(200);
  await pictures.close();
  rmSync(folder, { recursive: true });
});
