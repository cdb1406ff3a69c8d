import { expect, test } from 'vitest';
import { createRewriter } from '../../wordpress/rewrite.ts';
import { afterSending } from '../after-sending.ts';
import { formAt } from '../current-form.ts';
import { withoutMergeTags } from './confirmations.ts';
import { formOf } from './form.ts';
import { formSchema } from './schemas.ts';

const rewriter = createRewriter(['https://wordpress.example.org']);
const formWith = (confirmations: unknown, more = {}) =>
  formOf(
    formSchema.parse({ id: 1, title: '', description: '', button: null, fields: [], confirmations, ...more }),
    rewriter,
    () => {},
  );
const confirmation = (confirmations: object) => afterSending(formWith(confirmations)).confirmation;
const message = (html: string) => ({ d: { type: 'message', message: html, isDefault: true } });

test.each([
  ['Thank you {Name:1}!', 'Thank you!'],
  ['Thank you, {Name (First):1.3}, we read at ten.', 'Thank you, we read at ten.'],
  ['<p>Dear {Name:1},</p><p>Your number: {entry_id}.</p>', '<p>Dear,</p>'],
  ['Your email {Email:2} was noted.', 'Your email was noted.'],
  ['<p>{all_fields}</p><p>See you on {date_mdy}.</p>', '<p>See you on.</p>'],
  ['A brace { stays } and so does {this one}.', 'A brace { stays } and so does {this one}.'],
])('R30: merge tags that were not filled in time are removed from a confirmation: %s', (html, left) => {
  expect(withoutMergeTags(html)).toBe(left);
});

test('R30: merge tags are found in a long text without quadratic backtracking', () => {
  const colons = `{${':1'.repeat(400_000)}`;
  expect(withoutMergeTags(colons)).toBe(colons);
  expect(withoutMergeTags(`Number: {entry_id}. ${'a:'.repeat(400_000)}`)).toMatch(/^a:/);
});

test('R30: a confirmation only redirects to valid targets of the editor, and keeps no markup without text', () => {
  expect(confirmation(message('<p>{all_fields}</p>'))).toEqual({ type: 'message', html: '' });
  const elsewhere = {
    type: 'redirect',
    url: 'https://example.org/a?b=1',
    queryString: 'n={Name:1}&c=2',
    isDefault: true,
  };
  expect(confirmation({ d: elsewhere })).toEqual({ type: 'redirect', url: 'https://example.org/a?b=1&c=2' });
  const own = { ...elsewhere, url: 'https://wordpress.example.org/paper-notes/', queryString: 'from=form' };
  expect(confirmation({ d: own })).toEqual({ type: 'redirect', url: '/paper-notes/?from=form' });
  const plain = { ...elsewhere, url: 'http://example.org/', queryString: '{Name:1}' };
  expect(confirmation({ d: plain })).toEqual({ type: 'redirect', url: 'http://example.org/' });
  const hashed = {
    ...elsewhere,
    url: 'https://wordpress.example.org/paper-notes/?a=1#top',
    queryString: 'b={Name:1}&c=2',
  };
  expect(confirmation({ d: hashed })).toEqual({ type: 'redirect', url: '/paper-notes/?a=1&c=2#top' });
  for (const url of ['javascript:alert(1)', 'mailto:a@example.org?subject=a/b', 'https://{Host:1}/'])
    expect(confirmation({ d: { ...elsewhere, url } })).toEqual({ type: 'message', html: '' });
});

test('R30: the confirmation is the default one, else the first of those after sending', () => {
  const [first, second] = ['First', 'Second'].map((html) => ({ type: 'message', message: html, url: '/unused/' }));
  const html = (...all: object[]) => confirmation({ ...all });
  expect(html({ ...first, event: 'form_saved' }, { ...second, event: 'form_submission' })).toMatchObject({
    html: 'Second',
  });
  expect(html({ ...first }, { ...second })).toEqual({ type: 'message', html: 'First' });
  expect(html({ ...first }, { ...second, isDefault: true })).toMatchObject({ html: 'Second' });
  expect(html()).toEqual({ type: 'message', html: '' });
});

test('R30: a confirmation waits for Gravity Forms only if it depends on the visitor’s answers', () => {
  const depends = (confirmations: object) => afterSending(formWith(confirmations)).dependsOnAnswers;
  for (const none of [{}, message('Thank you.'), message('Thank you [ ].')]) expect(depends(none)).toBe(false);
  expect(depends(message('Thank you [gallery].'))).toBe(true);
  expect(depends(message('Thank you, {Name:1}.'))).toBe(true);
  const condition = { actionType: 'show', rules: [{ fieldId: '1', operator: 'is', value: 'x' }] };
  const other = { type: 'message', message: 'Other', conditionalLogic: condition };
  expect(depends({ ...message('Thank you.'), o: other })).toBe(true);
  expect(depends({ d: { ...other, isDefault: true } })).toBe(false);
  expect(depends({ ...message('Thank you.'), o: { ...other, isActive: false } })).toBe(false);
  expect(depends({ ...message('Thank you.'), o: { ...other, event: 'form_saved' } })).toBe(false);
  const redirect = { type: 'redirect', url: 'https://example.org/', queryString: 'n={Name:1}', isDefault: true };
  expect(depends({ d: redirect })).toBe(true);
});

test('R30: Gravity Forms’ confirmation is sanitised, and IP addresses are stored only if the form allows', () => {
  const { read, keepsAddress } = afterSending(formWith(message('Thank you.')));
  expect(read({ type: 'message', html: '<p onclick="x()">Hello<script>x()</script></p>' })).toEqual({
    type: 'message',
    html: '<p>Hello</p>',
  });
  expect(read({ type: 'redirect', url: 'http://wordpress.example.org/x/?n=Zo%C3%AB' })).toEqual({
    type: 'redirect',
    url: '/x/?n=Zo%C3%AB',
  });
  expect(read({ type: 'redirect', url: 'javascript:x()' })).toMatchObject({ type: 'message' });
  expect(keepsAddress).toBe(true);
  expect(afterSending(formWith({}, { personalData: { preventIP: true } })).keepsAddress).toBe(false);
});

test('R30: a form with a schedule keeps its settings for IP addresses and confirmations', () => {
  const schedule = { opens: 1, closes: null, pending: '', expired: '' };
  const form = formWith(message('Thank you, {Name:1}.'), { pillion: { schedule } });
  expect(afterSending(formAt(form, Date.now()))).toMatchObject({ keepsAddress: true, dependsOnAnswers: true });
});
