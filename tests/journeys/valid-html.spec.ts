import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { settled } from '@pillion/site-tests/axe.mjs';
import type { Page } from '@playwright/test';
import type { Checker } from 'accessibility-checker-engine';
import { HtmlValidate } from 'html-validate';
import { FIXTURE } from '../support/fixture.ts';
import { test as base, createTestIn, expect, visitPage } from './test.ts';

/** A built site with all its languages. */
interface Sites {
  name: string;
  folder: string;
  content: string;
  /** What IBM's engine looks at, by language and widths of the window: its rules know no language but its direction. */
  looks: readonly (readonly [lang: keyof typeof HOMES, ...widths: number[]])[];
}
const HOMES = { en: '/', de: '/de/', ar: '/ar/' };

const SITES: Sites[] = [
  {
    name: 'the fixture',
    folder: FIXTURE,
    content: join(FIXTURE, 'content'),
    looks: [['en', 1440, 390]],
  },
  {
    name: 'the demo',
    folder: process.cwd(),
    content: join(process.cwd(), 'site/content'),
    looks: [
      ['en', 1440],
      ['ar', 390],
    ],
  },
];

/** Every page of a site in one language, the search with and without results, the 404 page and the thanks. */
function pathsOf(content: string, lang: keyof typeof HOMES): string[] {
  const routes: { path: string }[] = JSON.parse(readFileSync(join(content, `${lang}/routes.json`), 'utf8'));
  const { form }: { form: { form_id: number } } = JSON.parse(
    readFileSync(join(content, `${lang}/strings.json`), 'utf8'),
  );
  return [
    ...routes.map(({ path }) => path),
    ...['search', 'search?q=a', 'no-such-page/'].map((path) => HOMES[lang] + path),
    `/api/sign-ups/thanks?form_id=${form.form_id}`,
  ];
}

/** Rules of IBM’s engine that are left out, with the reason. */
const LEFT_OUT: Record<string, string> = {
  text_contrast_sufficient:
    'it compares a text with the page’s background, also over a picture; axe and the contrast tests cover this',
  element_tabbable_role_valid:
    'a table’s box is focusable even if it does not overflow: in Safari only focusable boxes scroll by keyboard (WCAG 2.1.1)',
};

const engine = readFileSync(createRequire(import.meta.url).resolve('accessibility-checker-engine/ace.js'), 'utf8');

/** What IBM’s engine finds wrong, one line per element. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(`${engine};window.ace = ace;undefined`);
  const found = await page.evaluate(async () => {
    const { ace } = window as unknown as { ace: { Checker: typeof Checker } };
    const { results } = await new ace.Checker().check(document, ['IBM_Accessibility', 'WCAG_2_2']);
    return results
      .filter(({ value }) => String(value) === 'VIOLATION,FAIL')
      .map(({ ruleId, message, snippet }) => ({ ruleId, message, snippet }));
  });
  return found
    .filter(({ ruleId }) => !(ruleId in LEFT_OUT))
    .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet}`);
}

for (const { name, folder, content, looks } of SITES)
  base.describe(name, () => {
    const test = createTestIn(folder);

    for (const [which, languages] of [
      [`English${folder === FIXTURE ? ' @lean' : ''}`, ['en']],
      ['German and Arabic', ['de', 'ar']],
    ] as const)
      test(`every page in ${which} is valid HTML`, async ({ site }) => {
        // No rule is switched off.
        const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
        for (const path of languages.flatMap((lang) => pathsOf(content, lang))) {
          const html = await (await fetch(site.url + path)).text();
          const { results } = await validator.validateString(html);
          const wrong = results.flatMap(({ messages }) =>
            messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} ${selector}`),
          );
          expect.soft(wrong, path).toEqual([]);
        }
      });

    for (const [lang, ...widths] of looks)
      test(`IBM’s checker finds nothing on any page in ${lang} at ${widths.join(' and ')} px`, async ({ page }) => {
        test.setTimeout(120_000 * widths.length);
        await page.setViewportSize({ width: widths[0] ?? 0, height: 900 });
        for (const path of pathsOf(content, lang)) {
          await visitPage(page, path);
          await expect(page.locator('[data-loader]')).toHaveCount(0);
          for (const width of widths) {
            await page.setViewportSize({ width, height: 900 });
            await settled(page);
            expect.soft(await findings(page), `${path} at ${width} px`).toEqual([]);
          }
        }
      });
  });
