import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONGEST_DRAWING, SECTION_FIELD_KINDS, type SectionFieldKind } from '../sections/declaration.ts';
import { createRewriter } from '../wordpress/rewrite.ts';
import { type Fields, ITEMS, SECTIONS } from '../wordpress/section-schemas.ts';
import { type LeftOut, sectionsOf } from './sections.ts';

const rewriter = createRewriter(['https://cms.example'], () => {});

type Values = Record<string, unknown>;

const read = (section: unknown) => {
  const warnings: [string, unknown][] = [];
  const leftOut: LeftOut[] = [];
  const warn = (event: string, details?: object) => warnings.push([event, details]);
  const sections = sectionsOf([section], '/', rewriter, warn, (part) => leftOut.push(part));
  return { section: sections[0] as unknown as Values | undefined, warnings, leftOut };
};

const isText = (value: unknown) => typeof value === 'string';
const isRuns = (value: unknown): boolean =>
  Array.isArray(value) && value.every((run) => isText(run.text) && [null, 'em', 'strong', 'muted'].includes(run.mark));

/** Whether a value is valid for its kind. */
const IS: Record<Exclude<SectionFieldKind, 'list'>, (value: unknown) => boolean> = {
  text: isText,
  inline: isRuns,
  paragraphs: (value) => Array.isArray(value) && value.every(isRuns),
  rows: (value) => Array.isArray(value) && value.every((row) => isText(row.label) && isText(row.value)),
  picture: (value) => value === null || /^\/media\//.test((value as { src: string }).src),
  film: (value) => value === null || /^\/media\/.+\.(?:mp4|webm)$/.test((value as { src: string }).src),
  drawing: (value) => value === null || (isText(value) && (value as string).startsWith('<svg ')),
  form: (value) => Number.isInteger(value),
  html: (value) => isText(value) && value !== '',
};

function expectComplete(fields: Fields, values: Values): void {
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (field.kind !== 'list') {
      expect(IS[field.kind](value), `${name}, of the kind ${field.kind}, is ${JSON.stringify(value)}`).toBe(true);
      continue;
    }
    const items = value as Values[];
    expect(items.length).toBeLessThanOrEqual(field.most ?? Number.POSITIVE_INFINITY);
    for (const item of items) expectComplete(ITEMS[field.of as unknown as string]?.fields ?? {}, item);
  }
}

const names = Object.keys(SECTIONS);
const fieldsOf = (name: string): Fields => SECTIONS[name]?.fields ?? {};

test('the declared sections use every kind of field, so that these tests cover each', () => {
  const all = [...Object.values(SECTIONS), ...Object.values(ITEMS)].flatMap(({ fields }) => Object.values(fields));
  expect([...new Set(all.map(({ kind }) => kind))].sort()).toEqual([...SECTION_FIELD_KINDS].sort());
});

test.each(names.filter((name) => name !== 'rich-text'))('%s: absent and null fields are empty', (name) => {
  const absent = Object.fromEntries(Object.keys(fieldsOf(name)).map((member) => [member, null]));
  for (const values of [{}, absent]) {
    const { section, warnings } = read({ type: name, ...values });
    expect(section?.type).toBe(name);
    expectComplete(fieldsOf(name), section ?? {});
    expect(warnings).toEqual([]);
  }
});

/** Any JSON, and values that are almost valid. */
const member = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('<svg viewBox="0 0 1 1"><script/></svg>', '<em>a', '<p onclick=1>x', 'a\u0000<br><br>b', -1, 7, '7'),
  fc.record({
    url: fc.constantFrom('https://cms.example/wp-content/uploads/a.png', 'javascript:1', ''),
    width: fc.jsonValue(),
  }),
  fc.array(fc.oneof(fc.jsonValue(), fc.record({ label: fc.jsonValue(), value: fc.jsonValue() })), { maxLength: 30 }),
);

test.each(names)('%s: with any values it is complete, or left out with a warning', (name) => {
  const fields = fieldsOf(name);
  const inside = Object.values(fields).flatMap((field) =>
    field.kind === 'list' ? Object.keys(ITEMS[field.of as unknown as string]?.fields ?? {}) : [],
  );
  const item = fc.record(Object.fromEntries(inside.map((inner) => [inner, member])), { requiredKeys: [] });
  const shape = Object.fromEntries(
    Object.entries(fields).map(([field, { kind }]) => [
      field,
      kind === 'list' ? fc.oneof(member, fc.array(item, { maxLength: 25 })) : member,
    ]),
  );
  fc.assert(
    fc.property(fc.record(shape, { requiredKeys: [] }), (values) => {
      const { section, warnings } = read({ type: name, ...values });
      if (section) return expectComplete(fields, section);
      if (name !== 'rich-text') expect(warnings[0]?.[0]).toBe('content.section-dropped');
    }),
    { numRuns: 60 },
  );
});

test('long texts and lists are cut, and a long drawing is left out', () => {
  const long = 'a'.repeat(200_000);
  const drawing = `<svg viewBox="0 0 9 9"><path d="M0 0${'L9 9'.repeat(LONGEST_DRAWING / 4)}"/></svg>`;
  const { section, warnings } = read({ type: 'statement', kicker: long, heading: long, drawing });
  expect(String(section?.kicker).length).toBeLessThan(30_000);
  expect(JSON.stringify(section?.heading).length).toBeLessThan(30_000);
  expect(section?.drawing).toBeNull();
  expect(warnings).toEqual([['content.drawing-dropped', { page: '/', field: 'drawing' }]]);
  expect(read({ type: 'statement', drawing: ' ' }).warnings).toEqual([]);
  const items = Array.from({ length: 500 }, (_, at) => ({ question: `Number ${at}?`, answer: 'Yes.' }));
  const questions = read({ type: 'questions', items });
  expect(questions.section?.items).toHaveLength(20);
  expect(questions.warnings).toEqual([['content.question-dropped', { page: '/', item: 20, field: '(too many)' }]]);
  expect(questions.leftOut.map(({ item, field }) => `${item} ${field}`)).toEqual(
    items.slice(20).map((_, at) => `${at + 20} (too many)`),
  );
  expect(read({ type: 'questions', items: items.slice(0, 20) }).warnings).toEqual([]);
});

test('an unknown or invalid section is left out; log and editor get its type and the invalid field', () => {
  for (const [sent, type, field] of [
    [{ type: 'no-such-type' }, 'no-such-type', 'type'],
    [{ type: 7 }, 7, 'type'],
    [{ type: 'sign-up', form_id: 'first' }, 'sign-up', 'form_id'],
    [null, null, ''],
  ] as const) {
    const { section, warnings, leftOut } = read(sent);
    expect(section).toBeUndefined();
    expect(warnings).toEqual([['content.section-dropped', { page: '/', type, field: `sections.0.${field}` }]]);
    expect(leftOut).toEqual([{ section: 0, type: typeof type === 'string' ? type : '', item: null, field }]);
  }
  expect(read({ type: 'rich-text', html: '' }).leftOut).toEqual([
    { section: 0, type: 'rich-text', item: null, field: 'html' },
  ]);
});

test('an incomplete item is dropped, and the ids of the others come from their texts', () => {
  const items = [
    { question: 'When?', answer: 'Now.' },
    { question: 'Why?' },
    'no item',
    { question: 'When?', answer: 'Later.' },
  ];
  const { section, warnings, leftOut } = read({ type: 'questions', items });
  expect(section?.items).toMatchObject([{ id: 'q-when' }, { id: 'q-when-2' }]);
  const dropped = [
    { item: 1, field: 'answer' },
    { item: 2, field: '' },
  ];
  expect(warnings).toEqual(dropped.map((item) => ['content.question-dropped', { page: '/', ...item }]));
  expect(leftOut).toEqual(dropped.map((item) => ({ section: 0, type: 'questions', ...item })));
  const gallery = read({ type: 'gallery', items: [{ title: 'No picture' }] });
  expect(gallery.warnings).toEqual([['content.gallery-picture-dropped', { page: '/', item: 0, field: 'picture' }]]);
});

test('a picture has its sizes with the same proportions; without dimensions it gets default ones', () => {
  const sized = (name: string, width: number, height: number) => ({
    ...{ url: `https://cms.example/wp-content/uploads/${name}.webp`, width, height },
  });
  const foreign = { url: 'https://evil.example/a.webp', width: 600, height: 400 };
  const sizes = [sized('large', 900, 600), sized('rounded', 450, 301), sized('crop', 400, 300), null, foreign];
  const pictureOf = (picture: object) => {
    const { section, warnings } = read({ type: 'hero', picture });
    return [section?.picture, warnings];
  };
  const focalPoint = { x: 0.2, y: 0.4 };
  const whole = { src: '/media/a.webp', alt: 'A', width: 1200, height: 800 };
  const sources = ['rounded 450', 'large 900', 'a 1200'].map((source) => {
    const [name, width] = source.split(' ');
    return { src: `/media/${name}.webp`, width: Number(width) };
  });
  const given = { ...sized('a', 1200, 800), alt: 'A', sizes, focal_point: focalPoint };
  expect(pictureOf(given)).toEqual([{ ...whole, sources, focalPoint }, []]);
  for (const bare of [sized('a', 9, 0), sized('a', 0, 9)])
    expect(pictureOf(bare)).toEqual([
      { ...whole, alt: '', width: 1500, height: 1000, sources: [{ src: whole.src, width: 1500 }] },
      [['content.picture-without-size', { page: '/', url: bare.url }]],
    ]);
  expect(pictureOf(foreign)).toEqual([null, [['content.picture-elsewhere', { page: '/', url: foreign.url }]]]);
  expect(pictureOf({ ...foreign, url: '' })).toEqual([null, []]);
});

test('a film of another type or on another host is left out, with the reason for log and editor', () => {
  const filmOf = (url: string) => read({ type: 'hero', film: { url, bytes: 9 } });
  const uploads = 'https://cms.example/wp-content/uploads';
  const played = filmOf(`${uploads}/ride.MP4?v=1`);
  expect([played.section?.film, played.leftOut]).toEqual([{ src: '/media/ride.MP4', bytes: 9 }, []]);
  for (const [url, reason] of [
    [`${uploads}/ride.mp3`, 'type'],
    [`${uploads}/ride.mov`, 'type'],
    ['https://cdn.example/ride.mp4?v=1', 'elsewhere'],
    ['', 'type'],
  ] as const) {
    const { section, warnings, leftOut } = filmOf(url);
    expect(section?.film).toBeNull();
    expect(warnings).toEqual([['content.film-unusable', { page: '/', url }]]);
    expect(leftOut).toEqual([{ section: 0, type: 'hero', item: null, field: 'film', film: { url, reason } }]);
  }
});
