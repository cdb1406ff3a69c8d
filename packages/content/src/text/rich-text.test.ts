import { processorMs } from '@pillion/lib/testing/processor-time.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRewriter } from '../wordpress/rewrite.ts';
import { inlineRichText, richText, withEagerPicture } from './rich-text.ts';

const WORDPRESS = 'http://wordpress.test';
const rewriter = createRewriter([WORDPRESS]);
const clean = (html: string) => richText(html, rewriter);

test('the elements of core blocks stay, with the classes that stylesheets need', () => {
  const html = [
    '<h2 class="wp-block-heading" id="route">Route</h2>',
    '<p class="has-text-align-center has-large-font-size">A <strong>b</strong> <em>c</em> <code>d</code></p>',
    '<ul class="wp-block-list"><li>One<ol><li value="2">Two</li></ol></li></ul>',
    '<blockquote class="wp-block-quote is-style-plain"><p>Q</p><cite>Who</cite></blockquote>',
    '<figure class="wp-block-table alignwide" tabindex="0" aria-label="T"><table><thead><tr><th scope="col">H</th></tr></thead><tbody><tr><td colspan="2">C</td></tr></tbody></table><figcaption class="wp-element-caption">T</figcaption></figure>',
    '<pre class="wp-block-code"><code>a &lt; b</code></pre>',
    '<div class="wp-block-columns"><div class="wp-block-column">1</div></div>',
    '<details class="wp-block-details" open><summary>S</summary><p>D</p></details>',
    '<div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="/about/">Go</a></div></div>',
  ].join('');
  expect(clean(html)).toBe(html);
});

test('a table block, or a table without one, is focusable, so that keys can scroll it (WCAG 2.1.1)', () => {
  const cell = '<tbody><tr><td>C</td></tr></tbody>';
  expect(clean(`<p>a<br>b</p><img src="/gone"><table>${cell}</table>`)).toContain(
    '<table tabindex="0" aria-label="C">',
  );
  expect(clean(`<div><table tabindex="3">${cell}</table></div>`)).toBe(`<div><table>${cell}</table></div>`);
  expect(clean('<figure tabindex="1" class="wp-block-image"></figure>')).toBe(
    '<figure class="wp-block-image"></figure>',
  );
});

test('a focusable table is named after its caption, or else after the cells of its first row', () => {
  const named = (inner: string) => / aria-label="([^"]*)"/.exec(clean(`<table>${inner}</table>`))?.[1];
  const rows = '<tr class="a"><th>What &amp; "who"</th>  <th><b>How</b> long</th></tr><tr><td>a</td></tr>';
  expect(named(rows)).toBe('What &amp; &quot;who&quot;, How long');
  expect(named(`<caption>The cookies</caption>${rows}`)).toBe('The cookies');
  expect(named('<tr><td></td></tr>')).toBe(undefined);
  expect(named(`<caption>${'a'.repeat(100)} ${'b'.repeat(30)}</caption>`)).toBe(`${'a'.repeat(100)}…`);
});

test('a footnote and its reference link to each other, and other ids are removed', () => {
  const id = '8f2a1f6e-1b1c-4f0a-9a55-0a4a2f3d1c11';
  const html = [
    `<p>Light<sup class="fn"><a id="${id}-link" href="#${id}">1</a></sup></p>`,
    `<ol class="wp-block-footnotes"><li id="${id}">Of the page. <a aria-label="Back to 1" href="#${id}-link">↩︎</a></li></ol>`,
  ].join('');
  expect(clean(html)).toBe(html);
  expect(clean('<ul><li id="form">a</li></ul><a id="main" href="/" aria-label="b">c</a>')).toBe(
    '<ul><li>a</li></ul><a href="/">c</a>',
  );
});

test('an h1 becomes an h2, and main and other landmarks become a div', () => {
  expect(clean('<main><h1>A</h1><section><header>B</header></section></main>')).toBe(
    '<div><h2>A</h2><div><div>B</div></div></div>',
  );
});

test('a picture keeps its sizes, gets the site’s address and loads lazily', () => {
  const html = clean(
    `<img class="wp-image-7 size-full" src="${WORDPRESS}/wp-content/uploads/a.webp" alt="A" width="800" height="600" srcset="${WORDPRESS}/wp-content/uploads/a.webp 800w, https://evil.example/b.webp 900w" sizes="(max-width: 800px) 100vw, 800px" style="x" onerror="alert(1)">`,
  );
  expect(html).toBe(
    '<img src="/media/a.webp" alt="A" width="800" height="600" srcset="/media/a.webp 800w" sizes="(max-width: 800px) 100vw, 800px" class="size-full" loading="lazy" decoding="async" />',
  );
});

test('the first picture loads at once if little text is in front of it', () => {
  const picture = '<img src="/media/a.webp" alt="" sizes="auto, 80vw" loading="lazy" decoding="async" />';
  const eager = '<img src="/media/a.webp" alt="" sizes="80vw" loading="eager" decoding="async" />';
  const words = (count: number) => `<p>${'a '.repeat(count)}</p>`;
  expect(withEagerPicture(words(300) + picture + picture)).toBe(words(300) + eager + picture);
  expect(withEagerPicture(words(301) + picture)).toBe(words(301) + picture);
  // `auto` is for lazy pictures, and a text may contain the same characters.
  const named = '<p>sizes="auto, 80vw"</p>';
  expect(withEagerPicture(named + picture)).toBe(named + eager);
  expect(withEagerPicture('<img src="/media/a.webp" sizes="auto" loading="lazy" />')).toBe(
    '<img src="/media/a.webp" loading="eager" />',
  );
});

test('a picture without dimensions gets a class, so that the layout can reserve space for it', () => {
  expect(clean('<img src="/wp-content/uploads/a.webp">')).toBe(
    '<img src="/media/a.webp" alt="" class="has-unknown-size" loading="lazy" decoding="async" />',
  );
  const [b, c, d] = ['b', 'c', 'd'].map((name) => `/wp-content/uploads/${name}.webp`);
  const given = `class="size-full" width="80" height="080" srcset=" ${b}  1.25x,${d} 800w,${c} x2w,${c} 2wx,${c}" sizes="9vw&quot;9vw"`;
  expect(clean(`<img src="/wp-content/uploads/a.webp" ${given}>`)).toBe(
    '<img src="/media/a.webp" alt="" srcset="/media/b.webp 1.25x, /media/d.webp 800w" class="size-full has-unknown-size" loading="lazy" decoding="async" />',
  );
});

test('a picture of another host becomes a link to it, or its description inside a link', () => {
  expect(clean('<img src="https://example.org/a.png" alt="A tour">')).toBe(
    '<a href="https://example.org/a.png" rel="noopener" title="A tour">A tour</a>',
  );
  expect(clean('<a href="/x/"><img src="https://example.org/a.png" alt="A tour"></a>')).toBe(
    '<a href="/x/"><span>A tour</span></a>',
  );
  expect(clean('<img src="data:image/png;base64,AA" alt="A tour">')).toBe('<span>A tour</span>');
  const decorative = '<img src="https://example.org/a.png" alt="">';
  expect(clean(`<a href="/x/" title="The tour">${decorative}</a>`), 'a link needs a name (WCAG 4.1.2)').toBe(
    '<a title="The tour" href="/x/">The tour</a>',
  );
});

test('an embedded page becomes a link that names its target', () => {
  expect(clean('<iframe src="https://example.org/map" title="The crossing" allow="autoplay"></iframe>')).toBe(
    '<a href="https://example.org/map" rel="noopener" title="The crossing">The crossing</a>',
  );
  expect(clean('<div class="wp-block-embed__wrapper">\nhttps://example.org/1?a=1&#038;b=2\n</div>')).toBe(
    '<div class="wp-block-embed__wrapper"><a href="https://example.org/1?a=1&amp;b=2" rel="noopener">https://example.org/1?a=1&amp;b=2</a></div>',
  );
});

test('an embedded video becomes a link with its poster and the address of its player', () => {
  const poster = `${WORDPRESS}/wp-content/uploads/crossing.jpg`;
  const frame = (src: string, more = '') => clean(`<iframe src="${src}" title="The crossing"${more}></iframe>`);
  expect(frame('https://www.youtube.com/embed/abcdefghij_?feature=oembed', ` data-poster="${poster}"`)).toBe(
    '<a href="https://www.youtube.com/watch?v=abcdefghij_" rel="noopener" title="The crossing" data-embed="https://www.youtube-nocookie.com/embed/abcdefghij_"><img src="/media/crossing.jpg" alt="" loading="lazy" decoding="async" /><span>The crossing</span></a>',
  );
  expect(frame('https://player.vimeo.com/video/123?h=ab12&amp;dnt=1')).toBe(
    '<a href="https://vimeo.com/123/ab12" rel="noopener" title="The crossing" data-embed="https://player.vimeo.com/video/123?dnt=1&amp;h=ab12"><span>The crossing</span></a>',
  );
  for (const address of ['http://youtu.be/abcdefghij_', 'https://m.youtube.com/watch?list=x&#038;v=abcdefghij_'])
    expect(clean(`<div class="wp-block-embed__wrapper">\n${address}\n</div>`)).toContain(
      ' data-embed="https://www.youtube-nocookie.com/embed/abcdefghij_"><span>',
    );
});

test('an embedded video keeps its start, and a playlist stays a link', () => {
  expect(clean('<iframe src="https://www.youtube.com/embed/abcdefghij_?start=90&amp;feature=oembed"></iframe>')).toBe(
    '<a href="https://www.youtube.com/watch?v=abcdefghij_&amp;t=90" rel="noopener" data-embed="https://www.youtube-nocookie.com/embed/abcdefghij_?start=90"><span>https://www.youtube.com/watch?v=abcdefghij_&amp;t=90</span></a>',
  );
  expect(clean('<iframe src="https://www.youtube.com/embed/videoseries?list=PL1"></iframe>')).not.toContain(
    'data-embed',
  );
});

test('only an embedded video of a known host gets the address of a player', () => {
  for (const html of [
    '<a href="https://youtu.be/abcdefghij_" data-embed="https://evil.example/">A film</a>',
    '<iframe src="https://evil.example/www.youtube.com/embed/abcdefghij_"></iframe>',
    '<iframe src="https://www.youtube.com.evil.example/embed/abcdefghij_"></iframe>',
    '<a href="/x/"><iframe src="https://youtu.be/abcdefghij_"></iframe></a>',
  ])
    expect(clean(html)).not.toContain('data-embed');
  const foreign = clean(
    '<iframe src="https://youtu.be/abcdefghij_" data-poster="https://evil.example/a.jpg"></iframe>',
  );
  expect(foreign).not.toContain('evil');
});

test('audio and video load from the site’s address, and only when the visitor starts them', () => {
  expect(clean(`<video src="${WORDPRESS}/wp-content/uploads/a.mp4" autoplay loop></video>`)).toBe(
    '<video loop src="/media/a.mp4" controls preload="none"></video>',
  );
  const film = 'muted playsinline width="9" height="6"';
  expect(clean(`<video ${film} src="/media/a.mp4" poster="/media/a.webp" id="x"></video>`)).toBe(
    `<video ${film} src="/media/a.mp4" controls preload="none" poster="/media/a.webp"></video>`,
  );
  expect(clean('<audio src="https://example.org/a.mp3" controls></audio>')).toBe(
    '<a href="https://example.org/a.mp3" rel="noopener">https://example.org/a.mp3</a>',
  );
});

test('a video keeps its captions, which load from the site’s address (WCAG 1.2.2)', () => {
  const captions = (src: string) => `<track src="${src}" label="English" srclang="en" kind="captions" default />`;
  const video = (src: string, track = '') => `<video src="${src}" controls preload="none">${track}</video>`;
  const uploads = `${WORDPRESS}/wp-content/uploads`;
  expect(clean(video(`${uploads}/a.mp4`, captions(`${uploads}/a-en.vtt`)))).toBe(
    video('/media/a.mp4', captions('/media/a-en.vtt')),
  );
  expect(clean(video('/media/a.mp4', captions('https://example.org/a.vtt')))).toBe(video('/media/a.mp4'));
  expect(clean(video('https://example.org/a.mp4', captions(`${uploads}/a-en.vtt`)))).toBe(
    '<a href="https://example.org/a.mp4" rel="noopener">https://example.org/a.mp4</a>',
  );
});

test('links to WordPress become paths of the site, and other links and new tabs get noopener', () => {
  expect(clean(`<a href="${WORDPRESS}/about/" class="evil">a</a>`)).toBe('<a href="/about/">a</a>');
  expect(clean('<a href="http://example.org/" rel="nofollow opener  ugc">a</a>')).toBe(
    '<a href="http://example.org/" rel="nofollow ugc noopener">a</a>',
  );
  const own = '<a title="T" hreflang="de" download href="/media/a.mp3">a</a>';
  expect(clean(own)).toBe(own);
  expect(clean('<a href="mailto:a@example.org?body=https://b.example">a</a>')).not.toContain('rel');
  expect(clean('<a href="/about/" target="_blank">a</a>')).toBe(
    '<a href="/about/" target="_blank" rel="noopener">a</a>',
  );
  expect(clean('<a href="javascript:alert(1)">a</a>')).toBe('<a>a</a>');
});

test('a block keeps its id for links to it, unless the page uses the id', () => {
  const ids = '<h2 id="Route-1">a</h2><p class="has-1" id="b">b</p><div id="c"><pre id="d">d</pre></div>';
  const more =
    '<ol start="2" id="e"><li>e</li></ol><details open id="f"></details><figure id="g"></figure><hr id="h" /><ul><li id="über-uns">i</li></ul>';
  expect(clean(ids + more)).toBe(ids + more);
  expect(clean('<section id="part">a</section>')).toBe('<div id="part">a</div>');
  expect(clean('<h3 id="FORM">a</h3><p id="1a">b</p><p id="a b">c</p><span id="d">d</span>')).toBe(
    '<h3>a</h3><p>b</p><p>c</p><span>d</span>',
  );
});

test('styles, scripts and form controls are removed, and their content does not become text', () => {
  expect(
    clean(
      '<style>p{color:red}</style><script>alert(1)</script><p style="position:fixed">a</p><form action="/x"><input value="v">b<button>c</button></form><svg><title>t</title></svg><noscript>n</noscript>',
    ),
  ).toBe('<p>a</p>bc');
});

test.each([
  ['too many paragraphs', '<p>word</p>'.repeat(150_000)],
  ['too many nested elements', '<div>'.repeat(300_000)],
  ['too many links', '<a href=/x>'.repeat(150_000)],
])('a text with %s is cut and takes less than 3 s of processor time', async (_, html) => {
  const warnings: string[] = [];
  let shown = '';
  const took = await processorMs(() => {
    shown = richText(html, rewriter, (event) => warnings.push(event));
  });
  expect(shown.length).toBeLessThan(600_000);
  expect(took).toBeLessThan(3000);
  expect(warnings).toEqual(['content.rich-text-cut']);
});

test('a consent text with 300,000 nested elements takes less than 3 s of processor time', async () => {
  expect(await processorMs(() => inlineRichText('<b>'.repeat(300_000), rewriter))).toBeLessThan(3000);
});

test('a consent text keeps links and inline marks, and no headings or pictures', () => {
  expect(inlineRichText('<h2>I</h2> <a href="javascript:x">a</a><img src=x><b>b</b>', rewriter)).toBe(
    'I <a>a</a><b>b</b>',
  );
  // It is in a label, where HTML allows no blocks.
  expect(inlineRichText('<p>a</p>', rewriter)).toBe('<span>a</span>');
});

/** Parts of markup, separated by `|`. */
const PIECES = [
  ...[
    '<script>|</script>|<img |<a |<svg>|<math>|<style>|</style>|<iframe |<!--|-->|<p>|<noscript>|</noscript>',
    '<textarea>|</textarea>|<title>|</title>|<xmp>|<template>|<mtext>|<table>|<td>|<mglyph>|<![CDATA[|]]>',
    '<object data=|<embed src=|<base href=|<link href=|<meta http-equiv=refresh content=|<form action=|<input ',
    '<button formaction=|<h2 id=form |<video |onerror=alert(1) |onload=|style="|href=|src=|srcset=|xlink:href=',
    'srcdoc=|id=|class=|javascript:alert(1)|java&#10;script:alert(1)|&#106;avascript:|data:text/html,',
    '//evil.example|>|/>|&quot;|&lt;script&gt;|=|/|</a>|</p>|text|<<|</',
  ].flatMap((row) => row.split('|')),
  ...['"', "'", '`', ' ', '\n', '\u0000'],
];
const hostile = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })), { maxLength: 30 });

const TAG = /<(\/?)([a-z][a-z\d]*)((?: [a-z-]+(?:="[^"<>]*")?)*)( \/)?>/g;
const HARMLESS = new Set(
  'a abbr audio b bdi bdo blockquote br caption cite code col colgroup dd del details div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead time tr track u ul var video wbr'.split(
    ' ',
  ),
);

/** Asserts that every `<` belongs to a known tag, and that no attribute can run code or load from another host. */
function assertHarmless(html: string): void {
  expect(html.replace(TAG, '')).not.toMatch(/[<>]/);
  for (const [, , tag = '', attributes = ''] of html.matchAll(TAG)) {
    expect(HARMLESS.has(tag), `<${tag}>`).toBe(true);
    for (const [, name = '', value = ''] of attributes.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)) {
      expect(name).not.toMatch(/^on|^style$|^srcdoc$|^form/);
      if (name === 'href') expect(value).toMatch(/^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/);
      if (name === 'src' || name === 'poster') expect(value).toMatch(/^\/media\//);
    }
  }
}

test('no text that an editor or an attacker writes runs code', () => {
  fc.assert(
    fc.property(hostile, (pieces) => assertHarmless(clean(pieces.join('')))),
    { numRuns: 3000 },
  );
});

test('cleaned HTML stays harmless when it is cleaned again, and the third result equals the second', () => {
  expect(clean('<td><x-y><td>')).toBe('<td><td></td></td>');
  fc.assert(
    fc.property(hostile, (pieces) => {
      const again = clean(clean(pieces.join('')));
      assertHarmless(again);
      expect(clean(again)).toBe(again);
    }),
    { numRuns: 500 },
  );
});
