import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rest } from '../contract/wordpress.ts';
import type { PluginSite } from './site.ts';
import type { MadeForm } from './trial.ts';

/** Where responses of the real plugin are stored for tests without it. */
const RECORDED_FILE = join(import.meta.dirname, '../../packages/forms/src/testing/gravity-forms/answers.json');

/** The recorded forms: one of each kind and setting that the site reads. */
const FORMS = [
  ...['text', 'text-max', 'textarea', 'select-required', 'multiselect', 'radio-other', 'checkbox-exactly', 'consent'],
  ...['multi-choice-many', 'image-choice', 'number-currency', 'number-calculated', 'name', 'date-dmy-dot', 'time-12'],
  ...['phone-standard', 'address-us', 'email-confirm', 'files', 'list-columns', 'captcha', 'product', 'logic-page'],
  ...['limit', 'schedule-over', 'inactive', 'no-address', 'confirm-merge', 'confirm-condition', 'confirm-page'],
];

/** Recorded submissions: the form and its values. */
const SUBMISSIONS: [name: string, form: string, body: Record<string, unknown>][] = [
  ['taken', 'text', { input_1: 'Ada' }],
  ['taken-and-taken-elsewhere', 'confirm-elsewhere', { input_1: 'Ada' }],
  ['required', 'text-required', { input_2: 'x' }],
  ['nothing-filled-in', 'empty', {}],
  ['full', 'limit', { input_1: 'Bo' }],
  ['over', 'schedule-over', { input_1: 'Bo' }],
  ['inactive', 'inactive', { input_1: 'Bo' }],
  ['trashed', 'trashed', { input_1: 'Bo' }],
  ['button-hidden', 'logic-button', { input_1: 'read' }],
];

/** Records them with the plugin's version and the date. Addresses are replaced with neutral ones. */
export async function recordAnswers(site: PluginSite, forms: MadeForm[], now = new Date()): Promise<void> {
  const idOf = (wanted: string) => forms.find(({ trial }) => trial.name === wanted)?.ours;
  const read = async (name: string) => {
    const { status, body } = await rest(`gf/v2/forms/${idOf(name)}`, { site: site.wordpress });
    return [name, { status, body }];
  };
  const send = async ([name, form, body]: (typeof SUBMISSIONS)[number]) => {
    const answer = await rest(`gf/v2/forms/${idOf(form)}/submissions`, { site: site.wordpress, body });
    return [name, { status: answer.status, body: answer.body }];
  };
  const recorded = {
    version: site.versions.gravityforms,
    date: now.toISOString().slice(0, 10),
    forms: Object.fromEntries(await Promise.all(FORMS.filter(idOf).map(read))),
    submissions: Object.fromEntries(await Promise.all(SUBMISSIONS.filter(([, form]) => idOf(form)).map(send))),
  };
  const text = JSON.stringify(recorded, null, 1)
    .replaceAll(site.wordpress.url, 'https://wordpress.example.org')
    .replaceAll(encodeURIComponent(site.wordpress.url), encodeURIComponent('https://wordpress.example.org'));
  mkdirSync(dirname(RECORDED_FILE), { recursive: true });
  writeFileSync(RECORDED_FILE, `${text}\n`);
}
