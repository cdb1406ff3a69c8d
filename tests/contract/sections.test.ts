import { expect, test } from 'vitest';
import { createPng } from '../support/png.ts';
import { rest, upload, useOwnWordPress } from './wordpress.ts';

/** A section in a page's REST response. The type is loose because these tests check the members. */
type Section = Record<string, unknown> & { type: string };
type Block = [name: string, attributes?: Record<string, unknown>, inner?: Block[]];

useOwnWordPress();

/** Calls core's routes as an administrator. */
async function admin<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await rest(`wp/v2/${path}`, { as: 'admin', method, body });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body}`);
  return answer.body;
}

/** Serialises a block like the block editor. */
function block([name, attributes = {}, inner = []]: Block): string {
  const json = JSON.stringify(attributes)
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/--/g, '\\u002d\\u002d');
  const head = `wp:${name} ${json === '{}' ? '' : `${json} `}`;
  return inner.length ? `<!-- ${head}-->\n${inner.map(block).join('\n')}\n<!-- /wp:${name} -->` : `<!-- ${head}/-->`;
}

const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;

const createPage = (content: string, more: object = {}) =>
  admin<{ id: number }>('POST', 'pages', { title: 'A page', status: 'publish', content, ...more });

/** Sections as the site's server requests them: anonymous, few fields. */
const sectionsOf = async (id: number): Promise<Section[]> =>
  (await rest(`wp/v2/pages/${id}?_fields=sections`, { as: 'nobody' })).body.sections;

const sectionsFrom = async (content: string) => sectionsOf((await createPage(content)).id);

async function uploadPicture(name: string, width: number, height: number, alt = ''): Promise<number> {
  const { id } = await upload(`${name}.png`, 'image/png', await createPng(width, height));
  await admin('POST', `media/${id}`, { alt_text: alt });
  return id;
}

const LINE = '<svg viewBox="0 0 9 9"><path d="M0 0L9 9"/></svg>';

test('every section arrives with all of its members', async () => {
  const picture = await uploadPicture('members', 40, 50, 'A tour');
  const upright = await uploadPicture('upright', 20, 50);
  const image = {
    ...{ id: picture, url: expect.stringContaining('/members.png'), alt: 'A tour', width: 40, height: 50 },
    sizes: [expect.objectContaining({ width: 40, height: 50 })],
  };
  const sections = await sectionsFrom(
    [
      block(['pillion/hero', { heading: 'Read the <em>first page</em>', picture, onclick: 'alert(1)', align: 'full' }]),
      block(['pillion/statement', { kicker: 'The page', facts: [{ label: 'Length', value: '48 km' }], drawing: LINE }]),
      block([
        'pillion/acts',
        {},
        [['pillion/act', { label: '20:41', title: 'Morning', text: 'Warm tarmac.', picture, portrait: upright }]],
      ]),
      block(['pillion/feature', { heading: 'Look', figures: [{ label: 'Weight', value: '148 g' }], detail: picture }]),
      block([
        'pillion/gallery',
        { kicker: 'The views', heading: 'Six <em>places</em>' },
        [['pillion/gallery-picture', { picture, title: 'Gate', text: 'page 27' }]],
      ]),
      block(['pillion/quote', { kicker: 'A sign', quote: 'No <em>light</em>', source: 'page 31', picture }]),
      block([
        'pillion/questions',
        { kicker: 'Asked', heading: 'Short <em>answers</em>' },
        [['pillion/question', { question: 'When?', answer: 'Now.<br><br>Or <strong>later</strong>.' }]],
      ]),
      block(['pillion/sign-up', { kicker: 'The list', text: 'Tell us where.', form_id: 3 }]),
      block(['pillion/wordmark']),
    ].join('\n\n'),
  );
  expect(sections).toEqual([
    {
      ...{ type: 'hero', heading: 'Read the <em>first page</em>', picture: expect.objectContaining(image) },
      ...{ portrait: null, film: null },
    },
    {
      ...{ type: 'statement', kicker: 'The page', heading: '', facts: [{ label: 'Length', value: '48 km' }] },
      ...{ picture: null, drawing: LINE },
    },
    {
      type: 'acts',
      heading: '',
      items: [
        {
          ...{ label: '20:41', title: 'Morning', text: 'Warm tarmac.', picture: expect.objectContaining(image) },
          portrait: expect.objectContaining({ id: upright }),
        },
      ],
    },
    {
      type: 'feature',
      kicker: '',
      heading: 'Look',
      text: '',
      figures: [{ label: 'Weight', value: '148 g' }],
      picture: null,
      detail: expect.objectContaining(image),
    },
    {
      ...{ type: 'gallery', kicker: 'The views', heading: 'Six <em>places</em>' },
      items: [{ picture: expect.objectContaining(image), title: 'Gate', text: 'page 27' }],
    },
    {
      ...{ type: 'quote', kicker: 'A sign', quote: 'No <em>light</em>', source: 'page 31' },
      picture: expect.objectContaining(image),
    },
    {
      ...{ type: 'questions', kicker: 'Asked', heading: 'Short <em>answers</em>' },
      items: [{ question: 'When?', answer: 'Now.<br><br>Or <strong>later</strong>.' }],
    },
    {
      type: 'sign-up',
      kicker: 'The list',
      heading: '',
      text: 'Tell us where.',
      form_id: 3,
      picture: null,
      portrait: null,
    },
    { type: 'wordmark' },
  ]);
});

test('ordinary blocks before, between and after sections keep their places', async () => {
  const sections = await sectionsFrom(
    [paragraph('Before.'), block(['pillion/wordmark']), paragraph('One.'), paragraph('Two.')].join('\n\n'),
  );
  expect(sections.map((section) => section.type)).toEqual(['rich-text', 'wordmark', 'rich-text']);
  expect(sections[0]?.html).toContain('Before.</p>');
  expect(sections[2]?.html).toMatch(/One\.<\/p>\s*<p[^>]*>Two\.<\/p>/);
});

test('a page from before blocks keeps its paragraphs', async () => {
  const sections = await sectionsFrom('First line.\n\nSecond line.');
  expect(sections).toEqual([{ type: 'rich-text', html: '<p>First line.</p>\n<p>Second line.</p>' }]);
});

test('an empty page has no sections', async () => {
  expect(await sectionsFrom('')).toEqual([]);
});

test('each attribute of the wrong type is read as empty', async () => {
  const [statement, feature, signUp] = await sectionsFrom(
    [
      block([
        'pillion/statement',
        { kicker: ['a'], heading: { b: 1 }, facts: 'none', picture: 'hero.jpg', drawing: ['x'] },
      ]),
      block([
        'pillion/feature',
        { kicker: 7, text: true, figures: [null, 'x', { label: 48 }, { value: {} }], detail: -4 },
      ]),
      block(['pillion/sign-up', { form_id: 'two', heading: null }]),
    ].join('\n'),
  );
  expect(statement).toEqual({ type: 'statement', kicker: '', heading: '', facts: [], picture: null, drawing: '' });
  expect(feature).toMatchObject({ kicker: '7', text: '', figures: [{ label: '48', value: '' }], detail: null });
  expect(signUp).toMatchObject({ form_id: 0, heading: '' });
});

test('invalid JSON in a block empties that block, not the page', async () => {
  const sections = await sectionsFrom(`<!-- wp:pillion/hero {"heading":} /-->\n${block(['pillion/wordmark'])}`);
  expect(sections.at(-1)).toEqual({ type: 'wordmark' });
});

test('a headline keeps only its four allowed marks, each of them closed', async () => {
  const heading =
    'A <em class="x" onclick="alert(1)">turned</em> <b>bold</b><script>alert(1)</script> <a href="/x">link</a><br/><mark style="color:red">quiet &amp; calm <strong>open';
  const [hero] = await sectionsFrom(block(['pillion/hero', { heading }]));
  expect(hero?.heading).toBe(
    'A <em>turned</em> <strong>bold</strong> link<br><mark>quiet &amp; calm <strong>open</strong></mark>',
  );
});

test('plain texts arrive without tags and entities', async () => {
  const [signUp] = await sectionsFrom(block(['pillion/sign-up', { kicker: ' R&amp;D <b>now</b> ', text: '5 &lt; 6' }]));
  expect(signUp).toMatchObject({ kicker: 'R&D now', text: '5 < 6' });
});

test('a picture comes with all its sizes, smallest first, including the full one', async () => {
  const picture = await uploadPicture('sizes', 900, 600);
  const [hero] = await sectionsFrom(block(['pillion/hero', { picture }]));
  const { sizes } = Object(hero?.picture) as { sizes: { url: string; width: number; height: number }[] };
  expect(sizes.map(({ width, height }) => [width, height])).toEqual([
    [150, 150],
    [300, 200],
    [768, 512],
    [900, 600],
  ]);
  for (const { url } of sizes) expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
});

test('a picture deleted from the media library is null, and so is the id of a page in its place', async () => {
  const picture = await uploadPicture('deleted', 40, 30);
  const page = await createPage(block(['pillion/hero', { picture, heading: 'Stays' }]));
  await admin('DELETE', `media/${picture}?force=true`);
  expect(await sectionsOf(page.id)).toEqual([
    { type: 'hero', heading: 'Stays', picture: null, portrait: null, film: null },
  ]);
  const [hero] = await sectionsFrom(block(['pillion/hero', { picture: page.id }]));
  expect(hero?.picture).toBeNull();
});

test('a section inside a group or columns is found, in order with the content around it', async () => {
  const sections = await sectionsFrom(
    `<!-- wp:group -->\n<div class="wp-block-group">${paragraph('Above.')}\n<!-- wp:columns -->\n<div class="wp-block-columns"><!-- wp:column -->\n<div class="wp-block-column">${block(['pillion/hero', { heading: 'Deep' }])}</div>\n<!-- /wp:column --></div>\n<!-- /wp:columns -->\n${paragraph('Below.')}</div>\n<!-- /wp:group -->`,
  );
  expect(sections.map((section) => section.type)).toEqual(['rich-text', 'hero', 'rich-text']);
  expect(sections[1]?.heading).toBe('Deep');
});

test('a synced pattern shows its sections, and one that contains itself ends', async () => {
  const pattern = await admin<{ id: number }>('POST', 'blocks', { title: 'P', status: 'publish', content: '' });
  const reference = `<!-- wp:block {"ref":${pattern.id}} /-->`;
  await admin('POST', `blocks/${pattern.id}`, {
    content: `${block(['pillion/statement', { heading: 'Shared' }])}\n${reference}\n${paragraph('After.')}`,
  });
  const sections = await sectionsFrom(reference);
  expect(sections.map((section) => section.type)).toEqual(['statement', 'rich-text']);
  expect(sections[0]?.heading).toBe('Shared');
  expect(sections[1]?.html).toMatch(/^<p[^>]*>After\.<\/p>$/);
});

test('a synced pattern without sections is rendered in its place', async () => {
  const pattern = await admin<{ id: number }>('POST', 'blocks', {
    title: 'T',
    status: 'publish',
    content: paragraph('In.'),
  });
  const sections = await sectionsFrom(`${paragraph('Out.')}\n<!-- wp:block {"ref":${pattern.id}} /-->`);
  expect(sections).toHaveLength(1);
  expect(sections[0]?.html).toMatch(/Out\.[\s\S]*In\./);
});

test('an unknown section block does not affect the others', async () => {
  const sections = await sectionsFrom(`<!-- wp:pillion/carousel {"speed":3} /-->\n${block(['pillion/wordmark'])}`);
  expect(sections).toEqual([{ type: 'wordmark' }]);
});

test('content.rendered is readable for clients without sections', async () => {
  const page = await createPage(
    [
      block([
        'pillion/acts',
        { heading: 'Three acts' },
        [['pillion/act', { label: '0', title: 'Gold & <i>', text: 'Warm.' }]],
      ]),
      block(['pillion/quote', { quote: 'No <em>light</em>', source: 'page 31' }]),
      block(['pillion/questions', {}, [['pillion/question', { question: 'When?', answer: 'Now.<script>x</script>' }]]]),
    ].join('\n'),
  );
  const { content } = await admin<{ content: { rendered: string } }>('GET', `pages/${page.id}`);
  expect(content.rendered).toContain('<h2>Three acts</h2>');
  expect(content.rendered).toContain('<h3>Gold &amp;</h3>');
  expect(content.rendered).toContain('<p>0</p>');
  expect(content.rendered).toContain('<blockquote><p>No <em>light</em></p></blockquote>');
  expect(content.rendered).toMatch(/<h3>When\?<\/h3>\s*<p>Now\.<\/p>/);
  expect(content.rendered).not.toContain('wp:');
});

test('unpublished changes are in the autosave, for previews', async () => {
  const page = await createPage(block(['pillion/hero', { heading: 'Old' }]));
  await admin('POST', `pages/${page.id}/autosaves`, { content: block(['pillion/hero', { heading: 'New' }]) });
  const [saved] = await admin<{ sections: Section[] }[]>('GET', `pages/${page.id}/autosaves`);
  expect(saved?.sections[0]?.heading).toBe('New');
  expect((await sectionsOf(page.id))[0]?.heading).toBe('Old');
});

test('an SVG arrives as it was pasted; an invalid or too large one does not', async () => {
  const drawings = [LINE, 'a line', LINE.replace('M0', `M${'1 '.repeat(9000)}`)];
  const sections = await sectionsFrom(drawings.map((drawing) => block(['pillion/statement', { drawing }])).join('\n'));
  expect(sections.map(({ drawing }) => drawing)).toEqual([LINE, '', '']);
});

test('a new page can start from the pattern with all nine sections', async () => {
  const patterns = await admin<{ name: string; content: string }[]>('GET', 'block-patterns/patterns');
  const content = patterns.find((pattern) => pattern.name === 'pillion/landing-page')?.content ?? '';
  const sections = await sectionsFrom(content);
  expect(sections.map((section) => section.type)).toEqual([
    'hero',
    'statement',
    'acts',
    'feature',
    'gallery',
    'quote',
    'questions',
    'sign-up',
    'wordmark',
  ]);
});
