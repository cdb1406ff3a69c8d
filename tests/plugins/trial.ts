import { randomUUID } from 'node:crypto';
import { readSignUps, type StoredSignUp } from '../support/sign-ups.ts';
import type { RunningSite } from '../support/site.ts';
import { type DrawnForm, encodeBody, fillForm, parseForm, textOf } from './drawn-form.ts';
import type { Mail, PluginSite } from './site.ts';
import { SETTINGS, type TrialForm, type TrialRow } from './trial-forms.ts';

/** The visitor's browser. Gravity Forms sees it directly on its own page, and through a trusted proxy on Pillion's. */
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) Trial/1.0';
const NATIVE_VISITOR = '127.0.0.1';
/** From the block for documentation (RFC 5737). Each sign-up has another address, because limits count by address. */
const visitor = (number: number) => `203.0.113.${(number % 250) + 1}`;

/** Maximum number of pages of a form. More are a loop. */
const MAX_PAGES = 5;

/** Where a form is posted. `name` is Pillion's form, `name-native` Gravity Forms'. */
export interface MadeForm {
  trial: TrialForm;
  native: number;
  ours: number;
  /** Ids of the pages with the forms. */
  nativePage: number;
  oursPage: number;
}

/** The outcome of one attempt to send a form. */
export type Outcome =
  /** Confirmed: `text` for the visitor, or the target of the `redirect`. */
  | { kind: 'thanked'; text: string; redirect: string | null; id: string | null }
  /** The message of each field. */
  | { kind: 'refused'; messages: Record<string, string>; text: string }
  /** The page shows no form and says why. */
  | { kind: 'closed'; text: string }
  | { kind: 'failed'; text: string };

export interface Attempt {
  outcome: Outcome;
  undrawn: string[];
  button: string | null;
  visitor: string;
  /** Address of the page with the form. */
  page: string;
}

/** An entry in Gravity Forms with its related data. */
export interface Entry {
  values: Record<string, unknown>;
  notes: { type: string | null; by: string; text: string }[];
  /** Name, size and checksum of each file, by its address. */
  files: Record<string, string>;
  /** The form's revision, which is stored with consents. */
  revision: string;
  /** The post that the entry created. */
  post: Record<string, unknown> | null;
  mails: Mail[];
}

/** First ids of forms, entries and pages. */
const FIRST_FORM = 510_000;
const FIRST_ENTRY = 720_000;
const FIRST_PAGE = 330_000;

const phpJson = (value: unknown) =>
  `json_decode( base64_decode( '${Buffer.from(JSON.stringify(value)).toString('base64')}' ), true )`;

/** Creates each form twice, with a page for each, so that limits and unique answers count separately for both ways. */
export function makeForms(site: PluginSite, trials: TrialForm[]): MadeForm[] {
  const wanted = trials.map(({ name, fields, settings = {}, afterwards = '' }) => ({
    name,
    fields,
    settings,
    afterwards,
  }));
  const made = site.phpValue<Record<string, Omit<MadeForm, 'trial'>>>(`
    $made = array();
    global $wpdb;
    // Unusual ids, which cannot be confused with answers.
    $wpdb->insert( GFFormsModel::get_form_table_name(), array( 'id' => ${FIRST_FORM}, 'title' => 'First', 'date_created' => current_time( 'mysql', true ), 'is_active' => 0 ) );
    $wpdb->insert( GFFormsModel::get_entry_table_name(), array( 'id' => ${FIRST_ENTRY}, 'form_id' => ${FIRST_FORM}, 'date_created' => current_time( 'mysql', true ) ) );
    $wpdb->insert( $wpdb->posts, array( 'ID' => ${FIRST_PAGE}, 'post_status' => 'trash', 'post_type' => 'page', 'post_title' => 'First', 'post_name' => 'first-of-trials' ) );
    $privacy = get_page_by_path( 'privacy-policy' )->ID;
    $fill = static function ( $value ) use ( $privacy ) {
      return is_string( $value ) ? str_replace( array( '{privacy}', '{home}' ), array( $privacy, home_url() ), $value ) : $value;
    };
    foreach ( ${phpJson(wanted)} as $trial ) {
      foreach ( array( 'native' => ' native', 'ours' => '' ) as $way => $suffix ) {
        $form = array( 'title' => 'Trial of ' . $trial['name'] . $suffix, 'description' => '', 'labelPlacement' => 'top_label', 'fields' => $trial['fields'] );
        $form = map_deep( $trial['settings'] + $form + ${phpJson(SETTINGS)}, $fill );
        $id = GFAPI::add_form( $form );
        if ( is_wp_error( $id ) ) { throw new Exception( $trial['name'] . ': ' . $id->get_error_message() ); }
        eval( $trial['afterwards'] );
        $content = 'native' === $way
          ? "<!-- wp:paragraph --><p>It begins.</p><!-- /wp:paragraph -->\\n<!-- wp:shortcode -->[gravityform id=\\"$id\\"]<!-- /wp:shortcode -->\\n<!-- wp:paragraph --><p>It ends.</p><!-- /wp:paragraph -->"
          : sprintf( '<!-- wp:pillion/sign-up {"heading":"%s","form_id":%d} /-->', $trial['name'], $id );
        $page = wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Trial of ' . $trial['name'] . $suffix, 'post_name' => $trial['name'] . str_replace( ' ', '-', $suffix ), 'post_content' => wp_slash( $content ) ) );
        if ( 'ours' === $way ) { update_post_meta( $page, '_wp_page_template', 'landing' ); }
        $made[ $trial['name'] ][ $way ] = $id;
        $made[ $trial['name'] ][ $way . 'Page' ] = $page;
      }
    }
    return (object) $made;`);
  return trials.map((trial) => {
    const ids = made[trial.name];
    if (!ids) throw new Error(`${trial.name} was not made`);
    return { trial, ...ids };
  });
}

/** The format of a date or a time in the form. */
const formatOf = (trial: TrialForm) => (name: string) => {
  const field = trial.fields.find(({ id }) => name === `input_${id}`);
  return String(field?.dateFormat ?? field?.timeFormat ?? '');
};

const markedContent = (html: string): string | null => /It begins\.<\/p>(.*)<p[^>]*>It ends\./s.exec(html)?.[1] ?? null;

function nativeMessages(html: string): Record<string, string> {
  const found = html.matchAll(/id=['"]validation_message_\d+_(\d+)['"][^>]*>(.*?)<\/div>/gs);
  return Object.fromEntries([...found].map(([, field = '', text = '']) => [field, textOf(text)]));
}

/** The field that Gravity Forms' script adds before submitting. */
function withScriptsHash(html: string, entries: [string, string | File][]): [string, string | File][] {
  const [, hash] = /"version_hash":"([^"]+)"/.exec(html) ?? [];
  return hash ? [...entries, ['version_hash', hash]] : entries;
}

/** Sends a row through Gravity Forms' page, page by page, as a browser does. */
export async function sendNatively(site: PluginSite, { trial, native }: MadeForm, row: TrialRow): Promise<Attempt> {
  const page = `${site.wordpress.url}/${trial.name}-native/${row.query ?? ''}`;
  const headers = { 'user-agent': USER_AGENT };
  const markOf = new RegExp(`id=['"]gform_${native}['"]`);
  let html = await (await fetch(page, { headers })).text();
  const undrawn = new Set<string>();
  let button: string | null = null;
  const attempt = (outcome: Outcome): Attempt => ({
    outcome,
    undrawn: [...undrawn],
    button,
    visitor: NATIVE_VISITOR,
    page,
  });
  for (let turn = 0; turn < MAX_PAGES; turn += 1) {
    const form: DrawnForm | null = parseForm(html, markOf);
    if (!form) return attempt({ kind: 'closed', text: textOf(markedContent(html) ?? '') });
    button = form.button;
    const filled = fillForm(form, row.answers, formatOf(trial));
    for (const name of filled.undrawn) undrawn.add(name);
    const answer = await fetch(new URL(form.action, page), {
      method: 'POST',
      headers: { ...headers, referer: page },
      body: encodeBody(form, withScriptsHash(html, filled.entries)),
      redirect: 'manual',
    });
    const redirect = answer.headers.get('location');
    if (redirect !== null) return attempt({ kind: 'thanked', text: '', redirect, id: null });
    html = await answer.text();
    const shown = markedContent(html);
    if (shown === null) return attempt({ kind: 'failed', text: `${answer.status} ${textOf(html).slice(0, 200)}` });
    if (!parseForm(html, markOf)) {
      const text = textOf(shown);
      const isThanked = shown.includes(`gform_confirmation_wrapper_${native}`) || text === '';
      return attempt(isThanked ? { kind: 'thanked', text, redirect: null, id: null } : { kind: 'closed', text });
    }
    const messages = nativeMessages(html);
    const isWrong = Object.keys(messages).length > 0 || /class=['"][^'"]*\bgform_validation_error\b/.test(shown);
    if (isWrong) return attempt({ kind: 'refused', messages, text: '' });
  }
  return attempt({ kind: 'failed', text: 'the form came back without a word' });
}

const plainErrors = (errors: Record<string, string>) =>
  Object.fromEntries(Object.entries(errors).map(([name, text]) => [name.split('_')[1] ?? name, text]));

interface PillionResponse {
  ok: boolean;
  confirmation?: string;
  redirect?: string;
  errors?: Record<string, string>;
  message?: string;
}

function pillionOutcome(status: number, answer: PillionResponse, id: string): Outcome {
  if (answer.ok)
    return { kind: 'thanked', text: textOf(answer.confirmation ?? ''), redirect: answer.redirect ?? null, id };
  if (status === 422)
    return { kind: 'refused', messages: plainErrors(answer.errors ?? {}), text: answer.message ?? '' };
  return { kind: 'failed', text: `${status} ${answer.message ?? ''}` };
}

/** Sends a row through Pillion: reads the form from its page, fills it in and sends it as the script does. */
export async function sendThroughPillion(
  pillion: RunningSite,
  { trial, ours }: MadeForm,
  row: TrialRow,
  { number, isOpen, id = randomUUID() }: { number: number; isOpen: boolean; id?: string },
): Promise<Attempt> {
  const page = `${pillion.url}/${trial.name}/${row.query ?? ''}`;
  const headers = { 'user-agent': USER_AGENT, 'x-forwarded-for': visitor(number) };
  const { html, form } = await waitForForm(page, headers, isOpen);
  const main = /<main\b.*<\/main>/s.exec(html)?.[0] ?? html;
  // The form may still be open in a tab, so the response to it is part of the outcome.
  const drawn: DrawnForm = form ?? {
    action: '/api/sign-ups',
    isMultipart: false,
    button: null,
    controls: [{ name: 'form_id', type: 'hidden', value: String(ours), isOn: true }],
  };
  const { entries, undrawn } = fillForm(drawn, prefilled(drawn, trial, row), formatOf(trial));
  const body = encodeBody(drawn, [['sign_up_id', id], ...(form ? entries : [...entries, ...typedAnswers(row)])]);
  const answer = await fetch(`${pillion.url}/api/sign-ups`, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json', origin: pillion.url, referer: page },
    body,
    redirect: 'manual',
  });
  const outcome = pillionOutcome(answer.status, (await answer.json()) as PillionResponse, id);
  const isClosed = form === null && outcome.kind !== 'thanked';
  const said = isClosed ? { kind: 'closed' as const, text: textOf(main) } : outcome;
  return { outcome: said, undrawn: form ? undrawn : [], button: form?.button ?? null, visitor: visitor(number), page };
}

/** Number of requests for a page that WordPress has not delivered yet, and the pause between them in milliseconds. */
const MAX_TRIES = 40;
const RETRY_MS = 500;

/** Requests the page until it exists, and until it has its form if Gravity Forms' page has one. */
async function waitForForm(page: string, headers: Record<string, string>, isOpen: boolean) {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(page, { headers });
    const html = await answer.text();
    const form = parseForm(html, /action="\/api\/sign-ups/);
    const isComplete = answer.status === 200 && (form !== null || (!isOpen && tries > 2));
    if (isComplete || tries === MAX_TRIES) return { html, form };
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

const typedAnswers = ({ answers }: TrialRow) =>
  Object.entries(answers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );

/** The page is the same for every visitor. Its script fills in values from the address. */
function prefilled({ controls }: DrawnForm, { fields }: TrialForm, { query, answers }: TrialRow): TrialRow['answers'] {
  const asked = new URLSearchParams(query);
  const own = fields.flatMap(({ id, inputName }): [string, string][] => {
    const value = asked.get(String(inputName));
    return value !== null && controls.some(({ name }) => name === `input_${id}`) ? [[`input_${id}`, value]] : [];
  });
  return { ...Object.fromEntries(own), ...answers };
}

/** Number of attempts after which a sign-up counts as retried forever. */
const MAX_ATTEMPTS = 2;

const isDecided = ({ state, attempts }: StoredSignUp) =>
  ['delivered', 'dead', 'set-aside'].includes(state) || attempts >= MAX_ATTEMPTS;

/** Waits until WordPress has accepted or rejected each one, or the attempts are used up. */
export async function waitUntilDecided(pillion: RunningSite, ids: string[]): Promise<Map<string, StoredSignUp>> {
  for (;;) {
    const kept = new Map((await readSignUps(pillion.dataDirectory)).map((each) => [each.id, each]));
    const open = ids.filter((id) => !kept.has(id) || !isDecided(kept.get(id) as StoredSignUp));
    if (open.length === 0) return kept;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** Every entry of these forms, in order of creation. Mails are matched by the entry's id at the end of the subject. */
export function readEntries(
  site: PluginSite,
  forms: number[],
): (Entry & { id: number; formId: number; signUpId: string })[] {
  const mails = site.mails();
  const entries = site.phpValue<(Omit<Entry, 'mails'> & { id: number; formId: number; signUpId: string })[]>(`
    $found = array();
    $paging = array( 'offset' => 0, 'page_size' => 5000 );
    foreach ( GFAPI::get_entries( ${phpJson(forms)}, array(), array( 'key' => 'id', 'direction' => 'ASC' ), $paging ) as $entry ) {
      $entry = GFAPI::get_entry( $entry['id'] );
      $files = array();
      array_walk_recursive( $entry, static function ( $value ) use ( &$files, $entry ) {
        foreach ( is_string( $value ) && false !== strpos( $value, '/uploads/' ) ? ( is_array( json_decode( $value, true ) ) ? json_decode( $value, true ) : array( $value ) ) : array() as $url ) {
          $path = GFFormsModel::get_physical_file_path( $url, $entry['id'] );
          $files[ $url ] = is_file( $path ) ? basename( $path ) . ' ' . filesize( $path ) . ' ' . md5_file( $path ) : 'missing';
        }
      } );
      $notes = array_map( static function ( $note ) { return array( 'type' => $note->note_type, 'by' => $note->user_name, 'text' => $note->value ); }, (array) GFAPI::get_notes( array( 'entry_id' => $entry['id'] ) ) );
      $post = $entry['post_id'] ? get_post( $entry['post_id'] ) : null;
      $found[] = array(
        'id' => (int) $entry['id'], 'revision' => (string) GFFormsModel::get_latest_form_revisions_id( $entry['form_id'] ), 'formId' => (int) $entry['form_id'], 'signUpId' => (string) gform_get_meta( $entry['id'], 'pillion_sign_up_id' ),
        'values' => $entry, 'notes' => array_filter( $notes ), 'files' => (object) $files,
        'post' => $post ? array( 'title' => $post->post_title, 'content' => $post->post_content, 'excerpt' => $post->post_excerpt, 'author' => $post->post_author, 'status' => $post->post_status ) : null,
      );
    }
    return $found;`);
  return entries.map((entry) => ({
    ...entry,
    mails: mails.filter(({ subject }) => new RegExp(` ${entry.id}$`).test(subject)),
  }));
}
