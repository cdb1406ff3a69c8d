import { describe, expect, test } from 'vitest';
import { NEUTRAL_PALETTE, type Palette } from '../../palette.ts';
import type { Page, Picture, Section } from '../../types.ts';
import { contrastLow } from './contrast-low.ts';
import { films } from './films.ts';
import { formMissing } from './form-missing.ts';
import { headlineMissing } from './headline-missing.ts';
import { leftOutParts } from './left-out.ts';
import { deadLinks } from './link-dead.ts';
import { longTexts } from './long-texts.ts';
import { picturesSmall } from './picture-small.ts';
import { picturesUndescribed } from './picture-undescribed.ts';
import { problemsOf } from './problems.ts';
import type { CheckedDraft } from './rule.ts';
import { type PictureSample, SAMPLE_SIZE } from './samples.ts';
import { twoHeroes } from './two-heroes.ts';

/** Light text on an almost black veil. */
const PALETTE: Palette = {
  ...NEUTRAL_PALETTE,
  dark: { ...NEUTRAL_PALETTE.dark, text: '#f1e9de' },
  veil: '#05070d',
};

const words = (text: string) => (text ? [{ text, mark: null }] : []);
const picture = (more: Partial<Picture> = {}): Picture => ({
  ...{ src: '/media/tour.webp', alt: 'A tour', width: 1920, height: 1200, sources: [] },
  ...more,
});
const hero = (text: string, more: object = {}) =>
  ({ type: 'hero', heading: words(text), picture: null, portrait: null, ...more }) as Section;
const text = (html: string) => ({ type: 'rich-text', html }) as Section;
const signUp = (form: unknown) => ({ type: 'sign-up', form, picture: null, portrait: null }) as unknown as Section;

/** @param sections Each belongs to the block at its index, counted from 10. */
const look = (
  sections: Section[],
  more: Partial<CheckedDraft> & { title?: string; metaTitle?: string } = {},
): CheckedDraft => {
  const { title = 'A page', metaTitle = 'A page | Example', ...rest } = more;
  return {
    page: { title, sections, meta: { title: metaTitle } } as Page,
    blocks: sections.map((_, index) => index + 10),
    leftOut: [],
    written: { blocks: [], description: '' },
    samples: new Map(),
    palette: PALETTE,
    dir: 'ltr',
    pathExists: () => false,
    ...rest,
  };
};

test.each<[string, Section[], Parameters<typeof look>[1], (number | null)[]]>([
  ['a page whose hero has no words', [hero('')], {}, [10]],
  ['a page whose hero has words', [hero('Read on')], {}, []],
  ['a page with neither title nor hero', [text('<p>x</p>')], { title: '' }, [null]],
  ['a page with a title', [text('<p>x</p>')], {}, []],
  ['a page with a hero and no title', [hero('Read on')], { title: '' }, []],
  ['a page to which the site adds a hero', [hero('A page')], { blocks: [null] }, []],
  ['a page without a title, to which the site adds a hero', [hero('')], { blocks: [null], title: '' }, [null]],
])('missing headlines are found on %s', (_, sections, more, blocks) => {
  expect(headlineMissing(look(sections, more)).map(({ block }) => block)).toEqual(blocks);
});

test('a film without a picture and a film above 20 MB are reported', () => {
  const film = (bytes: number) => ({ src: '/media/ride.mp4', bytes });
  const find = (more: object) => films(look([hero('Read on', more)]));
  expect(find({ film: film(20_000_000), picture: picture() })).toEqual([]);
  expect(find({ film: null })).toEqual([]);
  expect(find({ film: film(20_000_001) })).toEqual([
    { block: 10, kind: 'film-without-picture', values: {} },
    { block: 10, kind: 'film-large', values: { size: 21, most: 20, limit: 250 } },
  ]);
});

test('of two heroes the second is reported', () => {
  const found = twoHeroes(look([hero('One'), text('<p>x</p>'), hero('Two')]));
  expect(found).toEqual([{ block: 12, kind: 'two-heroes', values: {} }]);
  expect(twoHeroes(look([hero('One')]))).toEqual([]);
});

test('form missing is reported for a sign-up with an invalid form', () => {
  expect(formMissing(look([signUp({}), signUp(null)]))).toEqual([{ block: 11, kind: 'form-missing', values: {} }]);
});

test('left out is reported for invalid content, with the block that produced it', () => {
  const found = leftOutParts(
    look([], {
      written: { blocks: [0, 3, null], description: '' },
      leftOut: [
        { section: 1, type: 'gallery', item: null, field: 'items' },
        { section: 1, type: 'gallery', item: 2, field: 'picture' },
        { section: 2, type: '', item: null, field: 'type' },
        { section: 0, type: 'hero', item: null, field: 'film', film: { url: '/ride.mov', reason: 'type' } },
        { section: 0, type: 'hero', item: null, field: 'film', film: { url: '/ride.mp4', reason: 'elsewhere' } },
      ],
    }),
  );
  expect(found).toEqual([
    { block: 3, kind: 'section-left-out', values: { type: 'gallery', field: 'items' } },
    { block: 3, kind: 'item-left-out', values: { type: 'gallery', item: 2, field: 'picture' } },
    { block: null, kind: 'section-left-out', values: { type: '', field: 'type' } },
    { block: 0, kind: 'film-type', values: { url: '/ride.mov' } },
    { block: 0, kind: 'film-elsewhere', values: { url: '/ride.mp4' } },
  ]);
});

describe('picture without description', () => {
  const find = (section: Section) => picturesUndescribed(look([section])).map(({ values }) => values.file);

  test('is reported in a section, an item and a text', () => {
    const blank = picture({ alt: ' ', src: '/media/2026/dusk.webp?v=2' });
    expect(find(hero('x', { picture: blank }))).toEqual(['dusk.webp']);
    expect(
      find({ type: 'gallery', items: [{ picture: picture() }, { picture: blank }] } as unknown as Section),
    ).toEqual(['dusk.webp']);
    expect(find(text('<p>a</p><img src="/media/a.jpg" alt="" /><img src="/media/b.jpg" alt="B" />'))).toEqual([
      'a.jpg',
    ]);
  });
  test('is not reported for another crop of a reported picture', () => {
    expect(find(hero('x', { picture: picture(), portrait: picture({ alt: '' }) }))).toEqual([]);
  });
});

describe('picture smaller than its display size', () => {
  const find = (section: Section) => picturesSmall(look([section])).map(({ values }) => values);

  test('behind words it fills the screen, and a portrait crop fills a phone', () => {
    expect(find(hero('x', { picture: picture({ width: 1919 }) }))).toEqual([{ width: 1919, needed: 1920 }]);
    expect(find(hero('x', { picture: picture({ width: 1920 }), portrait: picture({ width: 859 }) }))).toEqual([
      { width: 859, needed: 860 },
    ]);
  });
  test('next to words and among them it may be smaller', () => {
    const feature = (values: object) =>
      ({ type: 'feature', picture: null, detail: null, ...values }) as unknown as Section;
    expect(find(feature({ picture: picture({ width: 1024 }), detail: picture({ width: 480 }) }))).toEqual([]);
    expect(find(feature({ picture: picture({ width: 1023 }), detail: picture({ width: 479 }) }))).toEqual([
      { width: 1023, needed: 1024 },
      { width: 479, needed: 480 },
    ]);
  });
  test('an SVG has no size', () => {
    expect(find(hero('x', { picture: picture({ width: 24, src: '/media/mark.svg' }) }))).toEqual([]);
  });
});

/** A picture of one grey, or of several bands of equal height. */
const grey = (...bands: number[]): PictureSample =>
  Uint8Array.from({ length: SAMPLE_SIZE * SAMPLE_SIZE * 3 }, (_, at) => {
    const row = Math.floor(at / (SAMPLE_SIZE * 3));
    return bands[Math.floor((row * bands.length) / SAMPLE_SIZE)] ?? 0;
  });

describe('words over a picture with low contrast', () => {
  const find = (
    section: Section,
    samples: Record<string, PictureSample>,
    theme = 'dark',
    dir: 'ltr' | 'rtl' = 'ltr',
  ) => {
    const looked = look([section], { samples: new Map(Object.entries(samples)), dir });
    return contrastLow({ ...looked, page: { ...looked.page, theme } as Page });
  };
  const wide = picture({ src: '/media/wide.webp' });
  const upright = picture({ src: '/media/upright.webp', width: 860, height: 1860 });

  test('a hero over a white picture is reported with file and contrast, over a dark one it is not', () => {
    const section = hero('Read on', { picture: wide });
    const [found] = find(section, { [wide.src]: grey(255) });
    expect(found).toMatchObject({ block: 10, kind: 'contrast-low', values: { file: 'wide.webp', asked: 3 } });
    // The veil darkens white about as much as the text is darker than white.
    expect(found?.values.ratio).toBe(1.1);
    expect(find(section, { [wide.src]: grey(60) })).toEqual([]);
    expect(find(section, { [wide.src]: grey(255) }, 'light'), 'a hero has light text in both themes').toHaveLength(1);
    expect(find(hero('', { picture: wide }), { [wide.src]: grey(255) }), 'the hero shows the title').toHaveLength(1);
  });

  test('only the area under the words counts', () => {
    expect(find(hero('Read on', { picture: wide }), { [wide.src]: grey(20, 20, 20, 255) })).toEqual([]);
    expect(find(hero('Read on', { picture: wide }), { [wide.src]: grey(20, 255, 20, 20) })).toHaveLength(1);
    // A white area below the first line of a headline is behind the third line.
    const white = { [wide.src]: grey(20, 20, 20, 20, 255, 20, 20, 20, 20, 20) };
    expect(find(hero('Read on', { picture: wide, portrait: upright }), white)).toEqual([]);
    expect(find(hero('Read\non\nand on', { picture: wide, portrait: upright }), white)).toHaveLength(1);
  });

  test('the focal point says which part of the picture is under the words', () => {
    // White at the top of a picture that is twice as high as the window.
    const tall = { ...wide, height: 2400 };
    const white = { [tall.src]: grey(255, 255, 255, 20, 20, 20, 20, 20, 20, 20) };
    const at = (y: number) =>
      find(hero('Read on', { picture: { ...tall, focalPoint: { x: 0.5, y } }, portrait: upright }), white);
    expect([at(0).length, at(1).length]).toEqual([1, 0]);
  });

  test('the crop for phones is checked for phones', () => {
    const section = hero('Read on', { picture: wide, portrait: upright });
    const found = find(section, { [wide.src]: grey(20), [upright.src]: grey(255) });
    expect(found.map(({ values }) => values.file)).toEqual(['upright.webp']);
  });

  test('a statement is checked in the page’s theme', () => {
    const section = {
      type: 'statement',
      heading: words('Set large, and long enough to reach it'),
      picture: wide,
    } as unknown as Section;
    expect(find(section, { [wide.src]: grey(255) }, 'dark')).toHaveLength(1);
    expect(find(section, { [wide.src]: grey(255) }, 'light')).toEqual([]);
    expect(find(section, { [wide.src]: grey(0) }, 'dark')).toEqual([]);
    expect(find(section, { [wide.src]: grey(0) }, 'light')).toHaveLength(1);
    const short = { ...section, heading: words('Short') } as Section;
    expect(find(short, { [wide.src]: grey(255) }), 'the text does not reach the picture').toEqual([]);
    expect(find({ ...section, heading: [] } as Section, { [wide.src]: grey(255) }), 'no text').toEqual([]);
  });

  test('on a right-to-left page the right half of a picture is under the text', () => {
    const whiteRight = Uint8Array.from({ length: SAMPLE_SIZE * SAMPLE_SIZE * 3 }, (_, at) =>
      (Math.floor(at / 3) % SAMPLE_SIZE) * 2 < SAMPLE_SIZE ? 20 : 255,
    );
    const section = { ...signUp(null), picture: wide, portrait: upright, heading: words('Join') } as Section;
    const samples = { [wide.src]: whiteRight, [upright.src]: grey(20) };
    expect(find(section, samples, 'dark', 'ltr')).toEqual([]);
    expect(find(section, samples, 'dark', 'rtl')).toHaveLength(1);
  });

  test('a picture that cannot be loaded is not reported', () => {
    expect(find(hero('Read on', { picture: wide }), {})).toEqual([]);
  });
});

describe('links to missing pages of this site', () => {
  const known = new Set(['/about/', '/a&b/']);
  const find = (html: string) =>
    deadLinks(look([text(html)], { pathExists: (path) => known.has(path) })).map(({ values }) => values.url);

  test('each is reported once, and query and fragment of the link are ignored', () => {
    expect(find('<a class="x" href="/gone/?a=1&amp;b=2#c">x</a> <a href="/gone/?a=1&amp;b=2#c">x</a>')).toEqual([
      '/gone/?a=1&b=2#c',
    ]);
    expect(find('<a href="/about/?a=1#b">x</a> <a href="/a&amp;b/">x</a>')).toEqual([]);
  });
  test('links that no route could have are not reported', () => {
    expect(
      find(
        '<a href="#x">x</a> <a href="https://elsewhere.example/gone/">x</a> <a href="mailto:a@b.example">x</a> <a href="/media/a.pdf">x</a> <a href="/sitemap.xml">x</a> <a href="/search?q=x">x</a>',
      ),
    ).toEqual([]);
  });
});

test('titles and descriptions that are longer than search results show are reported', () => {
  const find = (metaTitle: string, description = '') =>
    longTexts(look([], { metaTitle, written: { blocks: [], description } }));
  expect(find('x'.repeat(60))).toEqual([]);
  expect(find('ü'.repeat(61))).toEqual([{ block: null, kind: 'title-long', values: { length: 61, most: 60 } }]);
  const long = 'x'.repeat(161);
  expect(find('x', long)).toEqual([{ block: null, kind: 'description-long', values: { length: 161, most: 160 } }]);
  expect(find('x', long.slice(1))).toEqual([]);
});

test('problems are listed from the top of the page, up to two hundred', () => {
  const found = problemsOf(look([text('<a href="/x/">x</a>'), hero('')], { metaTitle: 'x'.repeat(61) }));
  expect(found.map(({ block, kind }) => [block, kind])).toEqual([
    [null, 'title-long'],
    [10, 'link-dead'],
    [11, 'headline-missing'],
  ]);
  const many = Array.from({ length: 300 }, (_, i) => `<a href="/x${i}/">x</a>`).join('');
  expect(problemsOf(look([text(many)]))).toHaveLength(200);
});
