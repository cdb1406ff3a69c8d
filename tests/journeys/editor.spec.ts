import type { RunningWordPress } from '@pillion/scripts/wordpress.mjs';
import { expect, mergeTests, type Page } from '@playwright/test';
import { editPage as edit, requestCore, saveEditedPage as save, uploadPicture } from '../support/block-editor.ts';
import { createWordpressTest, watchedTest } from '../support/own-wordpress.ts';
import { createPage } from '../support/previews.ts';

/** Editors in the block editor of a real WordPress; saved content is read from its REST response. */
const test = mergeTests(createWordpressTest(), watchedTest);

// The block editor is heavy: half a minute to open and save on two busy cores.
test.describe.configure({ timeout: 300_000 });

type Section = Record<string, unknown> & { type: string; items: { title: string }[] };

const sectionsOf = async (wordpress: RunningWordPress, id: number) =>
  (await requestCore<{ sections: Section[] }>(wordpress, 'GET', `pages/${id}?_fields=sections`)).sections;

/** In the open media library. */
async function choosePicture(page: Page, name: string): Promise<void> {
  const library = page.getByRole('dialog');
  await library.getByRole('tab', { name: 'Media Library' }).click();
  await library.getByRole('checkbox', { name }).click();
  await library.getByRole('button', { name: 'Select', exact: true }).click();
}

const ACT = (title: string) => `<!-- wp:pillion/act {"title":"${title}"} /-->`;
const ACTS = `<!-- wp:pillion/acts -->\n${ACT('Morning')}\n${ACT('Noon')}\n<!-- /wp:pillion/acts -->`;

const GALLERY =
  '<!-- wp:pillion/gallery -->\n<!-- wp:pillion/gallery-picture {"title":"Gate"} /-->\n<!-- /wp:pillion/gallery -->';
const QUESTIONS =
  '<!-- wp:pillion/questions -->\n<!-- wp:pillion/question {"question":"When?"} /-->\n<!-- /wp:pillion/questions -->';

test('a headline is typed in place, with an italic word, and the site shows both @lean', async ({
  page,
  wordpress,
}) => {
  const { id } = await createPage(wordpress, {
    content: '<!-- wp:pillion/hero {"heading":"Read the first page"} /-->',
  });
  const canvas = await edit(page, wordpress, id);
  await canvas.getByRole('textbox', { name: 'Headline', exact: true }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Before the ');
  await page.keyboard.press('ControlOrMeta+i');
  await page.keyboard.type('first light');
  await save(page);
  expect((await sectionsOf(wordpress, id))[0]).toMatchObject({ heading: 'Before the <em>first light</em>' });
});

test('without a connected site, sections have neutral colours, and the button links to its screen', async ({
  page,
  wordpress,
}) => {
  const { id } = await createPage(wordpress, { content: '<!-- wp:pillion/statement {"heading":"Plain"} /-->' });
  const canvas = await edit(page, wordpress, id);
  await expect(canvas.locator('.pillion-section')).toHaveCSS('background-color', 'rgb(17, 17, 17)');
  await page.getByRole('button', { name: 'Site', exact: true }).click();
  const pane = page.getByRole('region', { name: 'Site', exact: true });
  await expect(pane).toContainText('its address or the shared secret is missing');
  await pane.getByRole('link', { name: 'To Pillion → Site' }).click();
  await expect(page).toHaveURL(/page=pillion-site/);
});

test('a statement gets quieter words, facts in place, and a drawing; an invalid one shows an error', async ({
  page,
  wordpress,
}) => {
  const { id } = await createPage(wordpress, {
    content:
      '<!-- wp:pillion/statement {"heading":"Loud","facts":[{"label":"Route","value":"North"},{"label":"Toll","value":"None"}]} /-->',
  });
  const canvas = await edit(page, wordpress, id);
  await canvas.getByRole('textbox', { name: 'Headline', exact: true }).click();
  await page.keyboard.press('End');
  await page.getByRole('button', { name: /^Quieter colour/ }).click();
  await page.keyboard.type(' quiet');

  await canvas.getByRole('button', { name: 'Add a fact' }).click();
  await expect(canvas.locator('.pillion-row-label').nth(2)).toBeFocused();
  await page.keyboard.type('Length');
  await canvas.getByRole('textbox', { name: 'How much, where, when' }).nth(2).click();
  await page.keyboard.type('48 km');
  await canvas.getByRole('button', { name: 'Move fact left' }).nth(2).click();
  await canvas.getByText('Toll').hover();
  await canvas.getByRole('button', { name: 'Remove fact' }).nth(2).click();

  await canvas.getByRole('textbox', { name: 'Headline', exact: true }).click();
  await page.getByRole('button', { name: 'Drawing', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Line drawing over the picture (SVG)' });
  await field.fill('a line');
  await expect(page.getByText('The site cannot use this')).toBeVisible();
  const drawing = '<svg viewBox="0 0 9 9"><path d="M0 0L9 9"/></svg>';
  await field.fill(drawing);
  const shown = canvas.locator('.pillion-drawing');
  await expect(shown).toBeVisible();
  await shown.evaluate((element) => element.closest('section')?.classList.remove('pillion-statement'));
  await expect(shown, 'a drawing has its colour in every section').not.toHaveCSS(
    'background-color',
    'rgba(0, 0, 0, 0)',
  );
  await save(page);
  expect((await sectionsOf(wordpress, id))[0]).toMatchObject({
    heading: 'Loud<mark> quiet</mark>',
    facts: [
      { label: 'Route', value: 'North' },
      { label: 'Length', value: '48 km' },
    ],
    drawing,
  });
});

test('acts are added and moved, questions added and answered, and a gallery gets a picture and its text', async ({
  page,
  wordpress,
}) => {
  const picture = await uploadPicture(wordpress, 'a-gate');
  const { id } = await createPage(wordpress, { content: `${ACTS}\n${QUESTIONS}\n${GALLERY}` });
  const canvas = await edit(page, wordpress, id);
  await canvas.getByRole('button', { name: 'Add an act' }).click();
  const acts = canvas.getByRole('textbox', { name: 'Title', exact: true });
  await expect(acts.nth(2)).toBeFocused();
  await page.keyboard.type('Dawn');
  // WordPress hides a block's toolbar while the editor types, until the pointer moves.
  await canvas.getByText('Noon').hover();
  await canvas.getByText('Morning').hover();
  for (const place of [1, 0]) {
    await page.getByRole('button', { name: 'Move left' }).click();
    await expect(acts.nth(place)).toHaveText('Dawn');
  }

  await canvas.getByRole('button', { name: 'Add a question' }).click();
  await expect(canvas.getByRole('textbox', { name: 'Question', exact: true }).nth(1)).toBeFocused();
  await page.keyboard.type('How far?');
  await canvas.getByRole('textbox', { name: 'Answer' }).nth(1).click();
  await page.keyboard.type('48 km.');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('And back.');

  const gallery = canvas.locator('.pillion-gallery');
  await gallery.getByRole('textbox', { name: 'Text', exact: true }).click();
  await page.keyboard.type('page 27');
  await gallery.getByRole('button', { name: 'Media Library' }).click();
  await choosePicture(page, 'a-gate');
  await expect(gallery.locator('.pillion-frame img')).toHaveAttribute('src', /a-gate/);
  await save(page);
  const [passage, questions, pictures] = await sectionsOf(wordpress, id);
  expect(passage?.items.map((act) => act.title)).toEqual(['Dawn', 'Morning', 'Noon']);
  expect(questions?.items).toEqual([
    { question: 'When?', answer: '' },
    { question: 'How far?', answer: '48 km.<br><br>And back.' },
  ]);
  expect(pictures?.items).toMatchObject([{ picture: { id: picture.id }, title: 'Gate', text: 'page 27' }]);
});

test('a picture, also one that was deleted, is replaced from the media library, described, and removed', async ({
  page,
  wordpress,
}) => {
  const gone = await uploadPicture(wordpress, 'gone');
  await uploadPicture(wordpress, 'first');
  const second = await uploadPicture(wordpress, 'second');
  const { id } = await createPage(wordpress, { content: `<!-- wp:pillion/hero {"picture":${gone.id}} /-->` });
  await requestCore(wordpress, 'DELETE', `media/${gone.id}?force=true`);
  const canvas = await edit(page, wordpress, id);
  const missing = canvas.getByText('is no longer in the media library');
  await expect(missing).toBeVisible();
  for (const name of ['first', 'second']) {
    await canvas.getByRole('button', { name: 'Replace picture', exact: true }).click();
    await choosePicture(page, name);
    await expect(canvas.locator('.pillion-backdrop')).toHaveAttribute('src', new RegExp(name));
    await expect(missing).toHaveCount(0);
  }

  await page.getByRole('textbox', { name: 'Description of picture' }).fill('A reader at dusk');
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('snackbar').filter({ hasText: 'Description saved' })).toBeVisible();
  await page.getByRole('spinbutton', { name: 'Top' }).fill('80');
  await expect(canvas.locator('.pillion-backdrop')).toHaveCSS('object-position', '50% 75%');
  await save(page);
  expect((await sectionsOf(wordpress, id))[0]).toMatchObject({
    picture: { id: second.id, alt: 'A reader at dusk', focal_point: { x: 0.5, y: 0.8 } },
  });

  await canvas.getByRole('button', { name: 'Remove picture', exact: true }).click();
  await save(page);
  expect((await sectionsOf(wordpress, id))[0]).toMatchObject({ picture: null });
});

test('a form that could not be read is requested again by the next block with it', async ({ page, wordpress }) => {
  const { id } = await createPage(wordpress, { content: '<!-- wp:pillion/sign-up {"heading":"Join"} /-->' });
  const isForm = (url: URL) => decodeURIComponent(url.href).includes('/gf/v2/forms/1');
  await page.route(isForm, (route) => route.abort());
  const canvas = await edit(page, wordpress, id);
  await expect(canvas.getByText('Form 1 cannot be shown here.')).toBeVisible();
  await page.unroute(isForm);
  const replaceBlock = "wp.data.dispatch('core/block-editor').resetBlocks([wp.blocks.createBlock('pillion/sign-up')])";
  await page.evaluate(replaceBlock);
  await expect(canvas.locator('.pillion-form-button')).toBeVisible();
});

test('R3: without a template the editor sees a notice and chooses one with a click; no section is invalid', async ({
  page,
  wordpress,
}) => {
  const names = ['hero', 'statement', 'feature', 'quote', 'sign-up', 'wordmark'];
  const content = names.map((name) => `<!-- wp:pillion/${name} /-->`);
  const { id } = await createPage(wordpress, {
    content: [...content, ACTS, GALLERY, QUESTIONS].join('\n'),
    title: 'Without',
    template: '',
  });
  const canvas = await edit(page, wordpress, id);
  await expect(canvas.locator('.pillion-section')).toHaveCount(9);
  await expect(canvas.locator('.block-editor-warning')).toHaveCount(0);
  const reminder = page.locator('.components-notice', { hasText: 'This page has sections but no template' });
  await expect(reminder).toBeVisible();
  await page.getByRole('button', { name: 'Use the Landing template' }).click();
  await expect(reminder).toHaveCount(0);
  await save(page);
  expect(await requestCore(wordpress, 'GET', `pages/${id}?_fields=template`)).toEqual({ template: 'landing' });
});

test('R2: an editor’s texts for links and search engines, and the theme, are saved with the page', async ({
  page,
  wordpress,
}) => {
  const { id } = await createPage(wordpress, {
    content: '<!-- wp:pillion/hero {"heading":"Here"} /-->',
    title: 'In short',
  });
  await edit(page, wordpress, id);
  const openPanel = async (name: string) => {
    const panel = page.locator('.components-panel__body', { hasText: name });
    const opener = panel.getByRole('button', { name });
    if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click();
    return panel;
  };
  const found = await openPanel('For links and search engines');
  await found.getByLabel('Title').fill('Terms “in short” 🏍️');
  await found.getByLabel('Description').fill('What you agree to, in a minute.');
  await found.getByLabel('Keep out of search engines').check();
  const theme = await openPanel('Theme of this page');
  await theme.getByLabel('Theme of this page').selectOption('Light');
  await save(page);
  expect(await requestCore(wordpress, 'GET', `pages/${id}?_fields=found,acf`)).toMatchObject({
    found: { title: 'Terms “in short” 🏍️', description: 'What you agree to, in a minute.', noindex: true },
    acf: { theme: 'light' },
  });
});
