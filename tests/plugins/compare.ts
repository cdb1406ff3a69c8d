import type { StoredSignUp } from '../support/sign-ups.ts';
import { textOf } from './drawn-form.ts';
import type { Attempt, Entry, MadeForm } from './trial.ts';
import type { Finding } from './trial-forms.ts';

export interface Compared {
  finding: Finding;
  /** Each part that differs: the result of Gravity Forms' page, and the result through Pillion. */
  differences: Record<string, [native: unknown, ours: unknown]>;
  /** Messages for the visitor that differ, if both reject. */
  words: Record<string, [native: unknown, ours: unknown]>;
  undrawn: string[];
}

/** Parts that differ between any two entries and mean nothing. */
const IGNORED_PARTS = new Set(['id', 'form_id', 'date_created', 'date_updated', 'pillion_sign_up_id', 'post_id']);

interface Side {
  attempt: Attempt;
  entry: Entry | null;
  formId: number;
  pageId: number;
  title: string;
  /** Home of the site that showed the form. */
  home: string;
  wordpress: string;
}

/** Replaces values that must differ between the sites: addresses, ids, the visitor's values. */
function createNormalizer({ attempt, entry, formId, pageId, title, home, wordpress }: Side): (text: string) => string {
  const files = Object.entries(entry?.files ?? {});
  const page = attempt.page.replace(/\?.*/, '');
  const replacements: [string, string][] = [
    ...files.flatMap(([url, name]): [string, string][] => [
      [JSON.stringify(url).slice(1, -1), `<file ${name}>`],
      [url, `<file ${name}>`],
    ]),
    [page, '<page>'],
    [encodeURIComponent(page), '<page>'],
    [home, '<home>'],
    [wordpress, '<wordpress>'],
    [JSON.stringify(wordpress).slice(1, -1).replaceAll('/', '\\/'), '<wordpress>'],
    [attempt.visitor, '<visitor>'],
    [title, '<title>'],
    ...(entry ? [[String(entry.values.id), '<entry>'] as [string, string]] : []),
    [String(formId), '<form>'],
    [String(pageId), '<post>'],
  ];
  // A form's action encodes a space as `+`, an address line as `%20`.
  const plain = (text: string) => text.replace(/(?<=<page>\?)[^\s<]*/g, (query) => query.replaceAll('+', '%20'));
  return (text) => plain(replacements.reduce((all, [from, to]) => all.replaceAll(from, to), text));
}

/** The third part of a consent is the form's revision, which is counted across all forms. */
const maskRevision = (name: string, value: unknown, entry: Entry | null) =>
  name.endsWith('.3') && value !== '' && value === entry?.revision ? '<revision>' : value;

const normalize = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => normalize(each, change));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, normalize(each, change)]));
  return value;
};

/** Redirects as the browser resolves them: the site's own pages without their host. */
function confirmationOf(side: Side): string {
  const { outcome } = side.attempt;
  if (outcome.kind !== 'thanked') return outcome.kind;
  if (outcome.redirect === null) return createNormalizer(side)(outcome.text);
  return `→ ${outcome.redirect.replace(side.home, '')}`;
}

function comparableParts(side: Side): Record<string, unknown> {
  const { entry } = side;
  const change = createNormalizer(side);
  const values = Object.entries(entry?.values ?? {}).filter(([name]) => !IGNORED_PARTS.has(name));
  const mails = (entry?.mails ?? []).map(({ to, subject, message, headers }) => ({
    to,
    subject,
    headers,
    text: textOf(message),
  }));
  return {
    ...Object.fromEntries(values.map(([name, value]) => [name, normalize(maskRevision(name, value, entry), change)])),
    // Notes about mails are left out: the mails are compared themselves.
    notes: normalize(
      (entry?.notes ?? []).filter(({ type }) => type !== 'notification' && type !== null),
      change,
    ),
    post: normalize(entry?.post ?? null, change),
    mails: normalize(mails, change),
    confirmation: confirmationOf(side),
  };
}

function differencesOf(native: Record<string, unknown>, ours: Record<string, unknown>): Compared['differences'] {
  const names = new Set([...Object.keys(native), ...Object.keys(ours)]);
  return Object.fromEntries(
    [...names].flatMap((name) =>
      JSON.stringify(native[name]) === JSON.stringify(ours[name]) ? [] : [[name, [native[name], ours[name]]]],
    ),
  );
}

function differentMessages(native: Attempt, ours: Attempt): Compared['words'] {
  const messagesOf = ({ outcome }: Attempt): Record<string, string> => {
    if (outcome.kind === 'refused')
      return Object.keys(outcome.messages).length > 0 ? outcome.messages : { form: outcome.text };
    return { form: outcome.kind === 'thanked' ? '' : outcome.text };
  };
  return differencesOf(messagesOf(native), messagesOf(ours)) as Compared['words'];
}

interface Row {
  made: MadeForm;
  native: Attempt;
  nativeEntry: Entry | null;
  ours: Attempt;
  ourEntry: Entry | null;
  kept: StoredSignUp | null;
  nativeHome: string;
  ourHome: string;
}

/** Compares the results of one row on both ways. */
export function compare(row: Row): Compared {
  const { made, native, ours, kept, nativeEntry, ourEntry } = row;
  const undrawn = ours.undrawn.filter((name) => !native.undrawn.includes(name));
  const plain = { differences: {}, words: {}, undrawn };
  const nativeTook = native.outcome.kind === 'thanked';
  const weTook = ours.outcome.kind === 'thanked';
  if (weTook && kept?.state === 'dead')
    return { ...plain, finding: 'thanked, then dead', words: differentMessages(native, ours) };
  if (weTook && kept?.state === 'set-aside') return { ...plain, finding: 'set aside' };
  if (weTook && kept?.state !== 'delivered')
    return { ...plain, finding: 'thanked, then tried for ever', words: differentMessages(native, ours) };
  if (!nativeTook && !weTook) return { ...plain, finding: 'refused by both', words: differentMessages(native, ours) };
  if (!weTook) return { ...plain, finding: 'refused by Pillion alone', words: differentMessages(native, ours) };
  if (!nativeTook) return { ...plain, finding: 'taken by Pillion alone', words: differentMessages(native, ours) };
  const differences = differencesOf(
    comparableParts({
      attempt: native,
      entry: nativeEntry,
      formId: made.native,
      pageId: made.nativePage,
      title: `Trial of ${made.trial.name} native`,
      home: row.nativeHome,
      wordpress: row.nativeHome,
    }),
    comparableParts({
      attempt: ours,
      entry: ourEntry,
      formId: made.ours,
      pageId: made.oursPage,
      title: `Trial of ${made.trial.name}`,
      home: row.ourHome,
      wordpress: row.nativeHome,
    }),
  );
  const finding = undrawn.length > 0 ? 'not drawn' : Object.keys(differences).length > 0 ? 'differs' : 'same';
  return { finding, differences, words: {}, undrawn };
}
