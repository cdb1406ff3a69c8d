import type { Meant, TrialAnswer } from './trial-forms.ts';

/** A form parsed from a page, filled in and submitted as a browser does. */

interface Control {
  name: string;
  /** The `type` of an input, or the element's name. */
  type: string;
  value: string;
  /** Submitted by default: checked or selected if possible, and not disabled. */
  isOn: boolean;
}

export interface DrawnForm {
  action: string;
  isMultipart: boolean;
  controls: Control[];
  /** Text of its button, or `null` without one. */
  button: string | null;
}

const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

const unescapeHtml = (text: string): string =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED_ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
  });

/** The visible text. */
export const textOf = (html: string): string =>
  unescapeHtml(
    html
      .replace(/<(script|style)\b.*?<\/\1>/gs, '')
      .replace(/<br[^>]*>|<\/(?:p|li|div|tr|td|dt|dd|h\d)>/gi, ' ')
      .replace(/<[^>]+>/g, ''),
  )
    .replace(/\s+/g, ' ')
    .trim();

const ATTRIBUTES = `(?:"[^"]*"|'[^']*'|[^'">])*`;

function attributesOf(tag: string): Map<string, string> {
  const found = tag.matchAll(/([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g);
  return new Map(
    [...found].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      unescapeHtml(double ?? single ?? bare ?? ''),
    ]),
  );
}

const OPTION = new RegExp(`<option\\b(${ATTRIBUTES})>([^<]*)`, 'gi');

function optionsOf(name: string, isMultiple: boolean, html: string): Control[] {
  const options = [...html.matchAll(OPTION)].map(([, tag = '', text = '']) => {
    const attributes = attributesOf(tag);
    return { name, type: 'select', value: attributes.get('value') ?? textOf(text), isOn: attributes.has('selected') };
  });
  const [first] = options;
  // In a single-choice list the first option is selected by default.
  if (first && !isMultiple && !options.some(({ isOn }) => isOn)) first.isOn = true;
  return options;
}

const CONTROL = new RegExp(
  `<(input|button)\\b(${ATTRIBUTES})>|<(select|textarea)\\b(${ATTRIBUTES})>(.*?)</\\3>`,
  'gis',
);
const BUTTON_TYPES = ['submit', 'button', 'image', 'reset'];

function controlsOf(html: string): Control[] {
  return [...html.matchAll(CONTROL)].flatMap(([, single, singleTag, paired, pairedTag, content = '']) => {
    const attributes = attributesOf(singleTag ?? pairedTag ?? '');
    const name = attributes.get('name') ?? '';
    if (name === '' || single === 'button') return [];
    // The script enables the control once it is needed.
    const isUsed = !attributes.has('disabled');
    if (paired?.toLowerCase() === 'select') return optionsOf(name, attributes.has('multiple'), content);
    // HTML ignores the line break after the tag.
    if (paired) return { name, type: 'textarea', value: unescapeHtml(content.replace(/^\r?\n/, '')), isOn: isUsed };
    const type = attributes.get('type')?.toLowerCase() ?? 'text';
    if (BUTTON_TYPES.includes(type)) return [];
    const canBeOff = type === 'radio' || type === 'checkbox';
    return {
      name,
      type,
      value: attributes.get('value') ?? (canBeOff ? 'on' : ''),
      isOn: isUsed && (!canBeOff || attributes.has('checked')),
    };
  });
}

function buttonOf(html: string): string | null {
  const input = [...html.matchAll(new RegExp(`<input\\b(${ATTRIBUTES})>`, 'gi'))]
    .map(([, each = '']) => attributesOf(each))
    .find((each) => each.get('type') === 'submit' || each.get('type') === 'image');
  if (input) return input.get('value') ?? input.get('alt') ?? '';
  const button = [...html.matchAll(new RegExp(`<button\\b(${ATTRIBUTES})>(.*?)</button>`, 'gis'))].find(
    ([, each = '']) => attributesOf(each).get('type') === 'submit',
  );
  return button ? textOf(button[2] ?? '') : null;
}

/**
 * @param mark A text in the form's opening tag.
 * @returns `null` if the page has no such form.
 */
export function parseForm(html: string, mark: RegExp): DrawnForm | null {
  for (const [, tag = '', content = ''] of html.matchAll(new RegExp(`<form\\b(${ATTRIBUTES})>(.*?)</form>`, 'gis'))) {
    if (!mark.test(tag)) continue;
    const attributes = attributesOf(tag);
    return {
      action: attributes.get('action') ?? '',
      isMultipart: attributes.get('enctype') === 'multipart/form-data',
      controls: controlsOf(content),
      button: buttonOf(content),
    };
  }
  return null;
}

const pad = (number: number) => String(number).padStart(2, '0');

/** Year, month and day in the order of Gravity Forms' `dmy_dot` and similar formats. */
function dateParts([year, month, day]: [number, number, number], format: string): string[] {
  const parts: Record<string, string> = { d: pad(day), m: pad(month), y: String(year) };
  return [...(format.split('_')[0] ?? '')].map((letter) => parts[letter] ?? '');
}

const SEPARATORS: Record<string, string> = { dash: '-', dot: '.', slash: '/' };

/** The values to type or choose in these controls for a date or time. */
function valuesFor(meant: Meant, controls: Control[], format: string): string[] {
  const isSplit = controls.some(({ name }) => name.endsWith('[]'));
  if ('date' in meant) {
    if (controls[0]?.type === 'date') return [dateParts(meant.date, 'ymd').join('-')];
    const parts = dateParts(meant.date, format);
    // Lists of days and months have no leading zeros.
    if (isSplit)
      return controls.some(({ type }) => type === 'select') ? parts.map((part) => String(Number(part))) : parts;
    return [parts.join(SEPARATORS[format.split('_')[1] ?? ''] ?? '/')];
  }
  const [hours, minutes] = meant.time;
  if (!isSplit) return [`${pad(hours)}:${pad(minutes)}`];
  if (format !== '12') return [pad(hours), pad(minutes)];
  return [pad(hours > 12 && hours < 24 ? hours - 12 : hours || 12), pad(minutes), hours >= 12 ? 'pm' : 'am'];
}

/** PHP reads `input_4.3` as `input_4_3`, and brackets as a list. */
const plainName = (name: string) => name.replace(/\[\]$/, '').replaceAll('.', '_');

export interface Filled {
  entries: [name: string, value: string | File][];
  /** Answers without a control in the form. */
  undrawn: string[];
}

/**
 * Fills in a form.
 * @param answers By name of the control, without the brackets of multiple values.
 * @param formatOf Format of a date or a time, by name of the control.
 */
export function fillForm(
  { controls }: DrawnForm,
  answers: Record<string, TrialAnswer>,
  formatOf: (name: string) => string,
): Filled {
  const entries: Filled['entries'] = [];
  const undrawn: string[] = [];
  const nameOf = new Map(controls.map(({ name }) => [plainName(name), name]));
  for (const { name, type, value, isOn } of controls) {
    if (plainName(name) in answers || !isOn) continue;
    entries.push([name, type === 'file' ? new File([], '') : value]);
  }
  for (const [plain, answer] of Object.entries(answers)) {
    const name = nameOf.get(plain);
    if (name === undefined) undrawn.push(plain);
    else {
      const own = controls.filter((control) => control.name === name);
      const values =
        typeof answer === 'string'
          ? [answer]
          : Array.isArray(answer)
            ? answer
            : valuesFor(answer, own, formatOf(plain));
      for (const value of values) entries.push([name, value]);
    }
  }
  return { entries, undrawn };
}

/** @returns The body in the form's encoding. */
export function encodeBody({ isMultipart }: DrawnForm, entries: Filled['entries']): FormData | URLSearchParams {
  const body = isMultipart ? new FormData() : new URLSearchParams();
  for (const [name, value] of entries)
    if (body instanceof FormData) body.append(name, value);
    else body.append(name, typeof value === 'string' ? value.replace(/\r?\n/g, '\r\n') : value.name);
  return body;
}
