import type { StoredSignUp } from '../support/sign-ups.ts';
import type { RunningSite } from '../support/site.ts';
import { type Compared, compare } from './compare.ts';
import type { PluginSite } from './site.ts';
import {
  type Attempt,
  type Entry,
  type MadeForm,
  readEntries,
  sendNatively,
  sendThroughPillion,
  waitUntilDecided,
} from './trial.ts';
import type { TrialForm, TrialRow } from './trial-forms.ts';

export interface TrialResult {
  made: MadeForm;
  row: TrialRow;
  native: Attempt;
  ours: Attempt;
  /** What Pillion stores for it, or `null` if it was not confirmed. */
  kept: StoredSignUp | null;
  compared: Compared;
  /** What the plugin lists as different in the form. */
  named: string[];
}

type Sent = Omit<TrialResult, 'kept' | 'compared' | 'named'>;

/** Parallel forms. PHP's built-in server has four workers. */
const CONCURRENCY = 3;

export const keyOf = ({ name }: TrialForm, { what }: TrialRow) => `${name}: ${what}`;

const confirmedId = ({ outcome }: Attempt) => (outcome.kind === 'thanked' ? outcome.id : null);

/**
 * Sends each row on Gravity Forms' page and through Pillion, and compares the results.
 * @returns By `keyOf`, in the order of the trials.
 */
export async function runTrials(site: PluginSite, pillion: RunningSite, forms: MadeForm[]) {
  site.forgetMails();
  const sent = await sendAll(site, pillion, forms);
  const ids = sent.flatMap(({ ours }) => confirmedId(ours) ?? []);
  const kept = await waitUntilDecided(pillion, ids);
  const entries = readEntries(
    site,
    forms.flatMap(({ native, ours }) => [native, ours]),
  );
  const takeEntry = createEntryMatcher(entries);
  const named = readWarnings(site, forms);
  const results = sent.map((attempts): TrialResult => {
    const { made, native, ours } = attempts;
    const id = confirmedId(ours);
    const signUp = id === null ? null : (kept.get(id) ?? null);
    const compared = compare({
      ...{ made, native, ours, nativeHome: site.wordpress.url, ourHome: pillion.url, kept: signUp },
      nativeEntry: native.outcome.kind === 'thanked' ? takeEntry(made.native) : null,
      ourEntry: entries.find(({ signUpId }) => id !== null && signUpId === id) ?? null,
    });
    return { ...attempts, kept: signUp, compared, named: named[made.ours] ?? [] };
  });
  return new Map(results.map((result) => [keyOf(result.made.trial, result.row), result]));
}

/** The plugin's warnings about each form before publishing, by form id. */
function readWarnings(site: PluginSite, forms: MadeForm[]): Record<number, string[]> {
  const ids = forms.map(({ ours }) => ours);
  return site.phpValue<Record<number, string[]>>(`
    $named = array();
    foreach ( array( ${ids.join(', ')} ) as $id ) {
      $form = json_decode( wp_json_encode( GFAPI::get_form( $id ) ), true );
      $named[ $id ] = array_values( array_unique( wp_list_pluck( Pillion\\Forms\\Gravity\\GravitySupport::findings_for( $form ), 'what' ) ) );
    }
    return (object) $named;`);
}

/** Entries of Gravity Forms' page have no Pillion id, so they are matched by their order. */
function createEntryMatcher(entries: (Entry & { formId: number })[]) {
  const remaining = [...entries];
  return (formId: number): Entry | null => {
    const at = remaining.findIndex((entry) => entry.formId === formId);
    return at < 0 ? null : (remaining.splice(at, 1)[0] ?? null);
  };
}

/** Rows of one form depend on each other and are sent in sequence. Forms are independent. */
async function sendAll(site: PluginSite, pillion: RunningSite, forms: MadeForm[]): Promise<Sent[]> {
  const sent = new Map<MadeForm, Sent[]>();
  const waiting = forms.map((made, at) => ({ made, at }));
  const sendNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      sent.set(next.made, await sendOne(site, pillion, next.made, next.at));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
  return forms.flatMap((made) => sent.get(made) ?? []);
}

async function sendOne(site: PluginSite, pillion: RunningSite, made: MadeForm, at: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const [index, row] of made.trial.rows.entries()) {
    const native = await sendNatively(site, made, row);
    const isOpen = native.outcome.kind !== 'closed';
    const number = at + 100 * index;
    const first = await sendThroughPillion(pillion, made, row, { number, isOpen });
    const id = confirmedId(first);
    // The next row may depend on this one, through a limit or a unique answer.
    if (id !== null) await waitUntilDecided(pillion, [id]);
    // With a slow WordPress the first response lacks the form's confirmation. A repeated sign-up gets it.
    const saysMore = id !== null && made.trial.settings?.confirmations !== undefined;
    const ours = saysMore ? await sendThroughPillion(pillion, made, row, { number, isOpen, id }) : first;
    sent.push({ made, row, native, ours });
  }
  return sent;
}
