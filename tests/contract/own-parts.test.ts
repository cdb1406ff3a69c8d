import { expect, test } from 'vitest';
import { renderDraft, useServedApp } from '../support/served-app.ts';
import { createPage, phpValue, rest } from './wordpress.ts';

/** The section and the template of `tests/site`, which is no part of the kit. */
const PRICES = `<!-- wp:pillion/price-list {"heading":"What it \\u003cem\\u003ecosts\\u003c/em\\u003e"} -->
<!-- wp:pillion/price {"name":"One \\u0026 two","amount":"5"} /-->

<!-- wp:pillion/price {"amount":"without a name"} /-->
<!-- /wp:pillion/price-list -->`;

const app = useServedApp();

test('editors are offered the section of the site, with its items, and its template', () => {
  const offered = phpValue<{ blocks: string[]; styles: string[]; templates: Record<string, string> }>(
    `$blocks = WP_Block_Type_Registry::get_instance();
     return array(
       'blocks'    => array_values( array_filter( array( 'pillion/hero', 'pillion/price-list', 'pillion/price' ), array( $blocks, 'is_registered' ) ) ),
       'styles'    => wp_styles()->query( 'pillion-sections' )->deps,
       'templates' => wp_get_theme()->get_page_templates(),
     );`,
  );
  expect(offered.blocks).toEqual(['pillion/hero', 'pillion/price-list', 'pillion/price']);
  expect(offered.styles).toContain('pillion-sections-edit-price-list');
  expect(offered.templates).toMatchObject({ landing: 'Landing', notice: 'Notice' });
});

test('what an editor fills in is checked, cleaned and shown, once it is saved and while it is typed', async () => {
  const id = await createPage({ title: 'Prices', slug: 'prices', template: 'notice', content: PRICES });

  const { body } = await rest(`wp/v2/pages/${id}?_fields=sections`);
  expect(body.sections).toEqual([
    {
      type: 'price-list',
      heading: 'What it <em>costs</em>',
      items: [
        { name: 'One & two', amount: '5' },
        { name: '', amount: 'without a name' },
      ],
    },
  ]);
  await app.content.refresh({ type: 'page', id, path: '/prices/', status: 'publish' });
  const html = await (await fetch(`${app.url}/prices/`)).text();
  expect(html).toContain('<article data-notice="true">');
  expect(html).toContain('<h2>What it <em>costs</em></h2>');
  expect(html).toContain('<b>One &amp; two</b>');
  expect(html).not.toContain('without a name');
  const typed = { content: PRICES.replace('costs', 'will cost') };
  const { body: draft } = await rest(`pillion/v1/preview/${id}/live`, { as: 'admin', body: typed });
  const { body: pane } = await rest(`pillion/v1/preview/${id}/token`, { as: 'admin', body: { kind: 'pane' } });
  const rendered = await renderDraft(pane.url, draft);
  expect(rendered.status).toBe(200);
  expect((await rendered.json()).page).toMatchObject({
    template: 'notice',
    sections: [
      { type: 'price-list', heading: [{}, { text: 'will cost' }], items: [{ name: 'One & two', amount: '5' }] },
    ],
  });
});
