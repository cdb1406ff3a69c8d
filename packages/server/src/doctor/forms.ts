import { unsupported } from '@pillion/content/forms/gravity-forms/fields.ts';
import { fieldSchema, formSchema, type WireField } from '@pillion/content/forms/gravity-forms/schemas.ts';
import { plainText } from '@pillion/content/text/plain-text.ts';
import { endpointPath, PREFIXES } from '@pillion/content/wordpress/endpoints.ts';
import { MAX_UPLOAD_BYTES, MEGABYTE } from '@pillion/forms/files.ts';
import type { Form, FormClosed } from '@pillion/forms/form.ts';
import { z } from 'zod';
import { broken, type Finding, joinNames, NEEDS_PLUGIN, ok, PLUGIN_ABSENT, skipped, warning } from './finding.ts';
import { type Check, errorCodeOf, errorReasonOf, hasPlugin, type Probe } from './probe.ts';

/** Gravity Forms writes `true` as "1". */
const wireBoolean = z
  .union([z.boolean(), z.string(), z.number()])
  .transform((value) => value === true || Number(value) === 1);

/** Members of a form that only the doctor reads. */
const stateSchema = z.object({
  is_active: wireBoolean.catch(true),
  is_trash: wireBoolean.catch(false),
  /** Differences from Gravity Forms, listed by the plugin (GravitySupport.php). */
  pillion: z
    .object({
      support: z
        .array(
          z.object({
            field: z.number().nullable(),
            label: z.string(),
            what: z.string(),
            level: z.string(),
            blocks: z.boolean(),
          }),
        )
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

/** A form that visitors see. */
interface ShownForm {
  id: number;
  /** Completes “form 7, …”. */
  where: string;
}

const formPath = ({ lang }: Probe, id: number) => endpointPath({ name: 'form', lang, id });

/** The form that the site's texts name, and the forms of the front page's sections. */
export async function findShownForms(probe: Probe): Promise<ShownForm[]> {
  const { lang, readOptions, source } = probe;
  const strings = await source.strings(lang, readOptions);
  // Always a form: an empty text means form 1.
  const forms: ShownForm[] = strings.ok ? [{ id: strings.data.form.form_id, where: 'which is set in the texts' }] : [];
  const routes = await source.routes(lang, readOptions);
  const front = routes.ok ? routes.data.find(({ isFront }) => isFront) : undefined;
  const page = front && (await source.page(front, lang, readOptions));
  const sections = page?.ok ? page.data.sections : [];
  for (const section of sections) {
    const id = section.type === 'sign-up' ? section.form_id : 0;
    if (id > 0 && !forms.some((form) => form.id === id)) forms.push({ id, where: 'on the front page' });
  }
  return forms;
}

async function checkRestApi(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return NEEDS_PLUGIN;
  if (!facts.gravity_forms) return ok('Gravity Forms is not installed. The site uses the plugin’s own forms.');
  if (facts.gravity_forms.rest) return ok(`Gravity Forms ${facts.gravity_forms.version}, its REST API is on.`);
  return broken(
    'Gravity Forms’ REST API is off: the site shows no form, and sign-ups wait.',
    'In WordPress, Forms → Settings → REST API: tick “Enabled” and save.',
  );
}

/** Explains why WordPress does not return a form. */
function explainMissing({ id, where }: ShownForm, status: number, code: string): Finding {
  if (status === 401 || status === 403) return skipped('The key may not read forms.');
  return broken(
    `Form ${id}, ${where}, does not exist (${code || status}).`,
    'In WordPress, Pillion: enter the number of a form that exists into “Form”, or create the form again.',
  );
}

const CHANGE_SCHEDULE = 'To accept sign-ups now, change the schedule in its settings.';

/** By reason: what follows the form's name, and what the editor can do. */
const TEMPORARILY_CLOSED: Partial<Record<FormClosed['reason'], { says: string; todo: string }>> = {
  full: { says: 'is full', todo: 'To accept more, raise the limit of entries in its settings.' },
  pending: { says: 'is not open yet', todo: CHANGE_SCHEDULE },
  expired: { says: 'is closed by its schedule', todo: CHANGE_SCHEDULE },
};
const CLOSED = { says: 'accepts no sign-ups now', todo: 'Check its settings in WordPress.' };

/** Explains why Gravity Forms takes no sign-ups for a form, and how to change that. */
function explainClosed(name: string, { reason, html }: FormClosed): Finding {
  const message = plainText(html);
  const quote = message && ` It says: “${message}”`;
  if (reason === 'login')
    return broken(
      `${name} is for members only: every sign-up is refused.${quote}`,
      'In its settings, untick “Require user to be logged in”: visitors of the site cannot log in.',
    );
  const { says, todo } = TEMPORARILY_CLOSED[reason] ?? CLOSED;
  return warning(`${name} ${says}.${quote}`, todo);
}

async function checkForm(probe: Probe, shownForm: ShownForm): Promise<Finding> {
  const { id, where } = shownForm;
  const seen = await probe.look(formPath(probe, id));
  if (!seen.ok) return skipped(`WordPress does not answer (${errorReasonOf(seen.error)}).`);
  if (seen.data.status !== 200) return explainMissing(shownForm, seen.data.status, errorCodeOf(seen.data));
  const form = formSchema.safeParse(seen.data.data);
  if (!form.success)
    return broken(
      `Form ${id} is invalid (${form.error.issues[0]?.path.join('.')}).`,
      'Open it in WordPress and save it.',
    );
  const state = stateSchema.parse(seen.data.data);
  const name = `Form ${id} “${form.data.title}”, ${where},`;
  if (state.is_trash) return broken(`${name} is in the trash.`, 'Restore it, or choose another one under Pillion.');
  if (!state.is_active)
    return broken(
      `${name} is inactive: every sign-up is refused.`,
      'In WordPress, switch the form on in the list of forms.',
    );
  const read = await probe.source.form(id, probe.lang, probe.readOptions);
  if (read.ok && read.data.closed) return explainClosed(name, read.data.closed);
  return ok(`${name} is open.`);
}

async function checkForms(probe: Probe): Promise<Finding[]> {
  if (!(await hasPlugin(probe))) return [PLUGIN_ABSENT];
  if ((await probe.facts())?.gravity_forms?.rest === false) return [skipped('Gravity Forms’ REST API is off.')];
  const found: Finding[] = [];
  for (const form of await findShownForms(probe)) found.push(await checkForm(probe, form));
  return found.length > 0 ? found : [skipped('The texts cannot be read.')];
}

/** A difference between the form on the site and the form in Gravity Forms. */
interface Difference {
  what: string;
  /** Gravity Forms requires an answer, and the site does not ask for it: every sign-up is refused. */
  blocks: boolean;
  isLeftOut: boolean;
}

const describeField = (label: string, id: number | null, what: string) =>
  id === null ? what : `${label || `field ${id}`} (${what})`;

/**
 * Lists the differences of a form. The plugin has a table of them for Gravity Forms; in its own forms, each field that
 * the site does not render is a difference.
 * @returns `null` if the form cannot be read.
 */
async function findDifferences(probe: Probe, id: number) {
  const form = await probe.read(formPath(probe, id), formSchema);
  const state = await probe.read(formPath(probe, id), stateSchema);
  if (!form || !state) return null;
  const fields = form.fields.flatMap((item) => fieldSchema.safeParse(item).data ?? []);
  const listed = state.pillion?.support;
  const differences: Difference[] = listed
    ? listed.map(({ label, field, what, level, blocks }) => ({
        what: describeField(label, field, what),
        blocks,
        isLeftOut: level === 'left-out',
      }))
    : unsupportedFields(fields);
  return { count: fields.length, unreadable: form.fields.length - fields.length, differences };
}

/** They block no sign-up: only Gravity Forms can require a field that the site does not render. */
function unsupportedFields(fields: WireField[]): Difference[] {
  return fields.flatMap((field) => {
    const reason = unsupported(field);
    if (reason === null) return [];
    return [{ what: describeField(field.label, field.id, reason), blocks: false, isLeftOut: true }];
  });
}

function reportDifferences(id: number, { unreadable, differences }: { unreadable: number; differences: Difference[] }) {
  const fatal = differences.filter(({ blocks }) => blocks);
  const others = differences.filter(({ blocks, isLeftOut }) => isLeftOut && !blocks);
  const list = (some: Difference[]) => joinNames(some.map(({ what }) => what));
  const found: Finding[] = [];
  if (fatal.length > 0)
    found.push(
      broken(
        `Form ${id} requires fields that the site does not support, so every sign-up is refused: ${list(fatal)}.`,
        'Remove these fields, or make them optional.',
      ),
    );
  if (others.length > 0)
    found.push(
      warning(
        `Form ${id} has fields that the site leaves out: ${list(others)}.`,
        'Use another kind of field. docs/how-to/editors.md lists the supported ones.',
      ),
    );
  if (unreadable > 0)
    found.push(warning(`${unreadable} fields of form ${id} are invalid.`, 'Open the form in WordPress and save it.'));
  return found;
}

/** Compares the forms on the site with those in WordPress. Without a finding, it lists the harmless differences. */
async function checkFields(probe: Probe): Promise<Finding[]> {
  const found: Finding[] = [];
  const different: string[] = [];
  let fieldCount = 0;
  for (const { id } of await findShownForms(probe)) {
    const form = await findDifferences(probe, id);
    if (!form) continue;
    fieldCount += form.count;
    different.push(...form.differences.map(({ what }) => what));
    found.push(...reportDifferences(id, form));
  }
  if (found.length > 0) return found;
  if (fieldCount === 0) return [skipped('No form can be read.')];
  const more = different.length > 0 ? `, with a difference: ${joinNames(different)}` : '';
  return [ok(`All ${fieldCount} fields are drawn${more}.`)];
}

const UPLOAD_CHECK_TIMEOUT_MS = 5_000;

/** Size of a submission without its files, in bytes. */
const MAX_BYTES_WITHOUT_FILES = MEGABYTE;

const megabytes = (bytes: number) => `${Math.round((bytes / MEGABYTE) * 10) / 10} MB`;

/** The largest file and the largest submission that a form takes, in bytes. */
interface UploadLimits {
  file: number;
  post: number;
}

/** @returns `null` if the form takes no files. */
function uploadLimitsOf({ fields }: Form): UploadLimits | null {
  const uploads = fields.flatMap(({ upload }) => upload ?? []);
  if (uploads.length === 0) return null;
  const file = Math.max(...uploads.map(({ maxBytes }) => maxBytes));
  const all = uploads.reduce((sum, { maxBytes, maxFiles }) => sum + maxBytes * maxFiles, 0);
  return { file, post: Math.min(MAX_UPLOAD_BYTES, all) + MAX_BYTES_WITHOUT_FILES };
}

/** The limits that suffice for all shown forms; `null`: no form takes files. */
async function findNeededLimits(probe: Probe): Promise<UploadLimits | null> {
  const needed: UploadLimits[] = [];
  for (const { id } of await findShownForms(probe)) {
    const form = await probe.source.form(id, probe.lang, probe.readOptions);
    const limits = form.ok && uploadLimitsOf(form.data);
    if (limits) needed.push(limits);
  }
  if (needed.length === 0) return null;
  return { file: Math.max(...needed.map(({ file }) => file)), post: Math.max(...needed.map(({ post }) => post)) };
}

/** Checks that PHP, WordPress and its web server accept the largest file and the largest sign-up of the forms. */
async function checkUploads(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return NEEDS_PLUGIN;
  const needed = await findNeededLimits(probe);
  if (!needed) return ok('No form accepts files.');
  const { file, post } = needed;
  const problems: string[] = [];
  if (facts.largest_file < file)
    problems.push(
      `a form takes files of ${megabytes(file)}, but WordPress accepts only ${megabytes(facts.largest_file)}`,
    );
  if (facts.largest_post > 0 && facts.largest_post < post)
    problems.push(
      `a sign-up may have ${megabytes(post)}, but PHP accepts only ${megabytes(facts.largest_post)} per request`,
    );
  // No form has the number 0, so nothing is stored.
  const path = `${PREFIXES.forms}/0/submissions`;
  if (problems.length === 0 && !(await probe.client.accepts(path, post, { timeoutMs: UPLOAD_CHECK_TIMEOUT_MS })))
    return broken(
      `A sign-up may have ${megabytes(post)}, and WordPress’ web server refuses a request of this size (status 413).`,
      `nginx: “client_max_body_size ${Math.ceil(post / MEGABYTE) + 1}m;”. Apache: “LimitRequestBody ${post + MEGABYTE}”. Until then the site refuses such files.`,
    );
  if (problems.length === 0)
    return ok(
      `WordPress accepts files of ${megabytes(facts.largest_file)}; the forms accept up to ${megabytes(file)}.`,
    );
  const text = problems.join('; ');
  return broken(
    `${text[0]?.toUpperCase()}${text.slice(1)}: such sign-ups are never delivered.`,
    `In that WordPress’ PHP set upload_max_filesize = ${Math.ceil(file / MEGABYTE) + 1}M and post_max_size = ${Math.ceil(post / MEGABYTE) + 1}M, or lower the limit of the form’s field. In a network also Network Admin → Settings → Max upload file size.`,
  );
}

/** Requests a file of the folder of sign-ups, like any client. */
async function checkPrivateFiles(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return NEEDS_PLUGIN;
  if (facts.private_file === '') return ok('The plugin stores no files of sign-ups.');
  const { pathname } = new URL(facts.private_file);
  const folder = pathname.replace(/[^/]*$/, '');
  const file = await fetch(new URL(pathname, probe.wordpress.url), {
    redirect: 'manual',
    signal: AbortSignal.timeout(UPLOAD_CHECK_TIMEOUT_MS),
  }).catch(() => null);
  if (!file) return skipped('WordPress’ web server does not answer.');
  if (!file.ok) return ok('Files of sign-ups cannot be read from the web.');
  return broken(
    `Files of sign-ups can be read by anyone who has their address: the web server serves ${folder}.`,
    `nginx: “location ^~ ${folder} { deny all; }”. Apache: “AllowOverride All”, so that the .htaccess in this folder applies.`,
  );
}

export const FORMS: Check[] = [
  { group: 'Forms', name: 'Gravity Forms', run: checkRestApi },
  { group: 'Forms', name: 'form', run: checkForms },
  { group: 'Forms', name: 'fields', run: checkFields },
  { group: 'Forms', name: 'uploads', run: checkUploads },
  { group: 'Forms', name: 'uploaded files', run: checkPrivateFiles },
];
