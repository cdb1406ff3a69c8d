import type { KeptSignUp } from '../support/sign-ups.ts';
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
  untilDecided,
} from './trial.ts';
import type { TrialForm, TrialRow } from './trial-forms.ts';

export interface TrialResult {
  made: MadeForm;
  row: TrialRow;
  native: Attempt;
  ours: Attempt;
  /** What Pillion stores for it, or `null` if it was not confirmed. */
  kept: KeptSignUp | null;
  compared: Compared;
  /** What the plugin lists as different in the form. */
  named: string[];
}

type Sent = Omit<TrialResult, 'kept' | 'compared' | 'named'>;

/** Parallel forms. PHP's built-in server has four workers. */
const AT_ONCE = 3;

export const keyOf = ({ name }: TrialForm, { what }: TrialRow) => `${name}: ${what}`;

const idOf = ({ outcome }: Attempt) => (outcome.kind === 'thanked' ? outcome.id : null);

/**
 * Sends each row on Gravity Forms' page and through Pillion, and compares the results.
 * @returns By `keyOf`, in the order of the trials.
 */
export async function runTrials(site: PluginSite, pillion: RunningSite, forms: MadeForm[]) {
  site.forgetMails();
  const sent = await sendAll(site, pillion, forms);
  const ids = sent.flatMap(({ ours }) => idOf(ours) ?? []);
  const kept = await untilDecided(pillion, ids);
  const entries = readEntries(
    site,
    forms.flatMap(({ native, ours }) => [native, ours]),
  );
  const take = takerOf(entries);
  const named = namedIn(site, forms);
  const results = sent.map((each): TrialResult => {
    const { made, native, ours } = each;
    const id = idOf(ours);
    const own = id === null ? null : (kept.get(id) ?? null);
    const compared = compare({
      ...{ made, native, ours, nativeHome: site.wordpress.url, ourHome: pillion.url, kept: own },
      nativeEntry: native.outcome.kind === 'thanked' ? take(made.native) : null,
      ourEntry: entries.find(({ signUpId }) => id !== null && signUpId === id) ?? null,
    });
    return { ...each, kept: own, compared, named: named[made.ours] ?? [] };
  });
  return new Map(results.map((result) => [keyOf(result.made.trial, result.row), result]));
}

/** The plugin's warnings about each form before publishing, by form id. */
function namedIn(site: PluginSite, forms: MadeForm[]): Record<number, string[]> {
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
function takerOf(entries: (Entry & { formId: number })[]) {
  const left = [...entries];
  return (formId: number): Entry | null => {
    const at = left.findIndex((entry) => entry.formId === formId);
    return at < 0 ? null : (left.splice(at, 1)[0] ?? null);
  };
}

/** Rows of one form depend on each other and are sent in sequence. Forms are independent. */
async function sendAll(site: PluginSite, pillion: RunningSite, forms: MadeForm[]): Promise<Sent[]> {
  const sent = new Map<MadeForm, Sent[]>();
  const waiting = forms.map((made, at) => ({ made, at }));
  const sendSome = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      sent.set(next.made, await sendOne(site, pillion, next.made, next.at));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  return forms.flatMap((made) => sent.get(made) ?? []);
}

async function sendOne(site: PluginSite, pillion: RunningSite, made: MadeForm, at: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const [index, row] of made.trial.rows.entries()) {
    const native = await sendNatively(site, made, row);
    const isOpen = native.outcome.kind !== 'closed';
    const number = at + 100 * index;
    const first = await sendThroughPillion(pillion, made, row, { number, isOpen });
    const id = idOf(first);
    // The next row may depend on this one, through a limit or a unique answer.
    if (id !== null) await untilDecided(pillion, [id]);
    // With a slow WordPress the first response lacks the form's confirmation. A repeated sign-up gets it.
    const saysMore = id !== null && made.trial.settings?.confirmations !== undefined;
    const ours = saysMore ? await sendThroughPillion(pillion, made, row, { number, isOpen, id }) : first;
    sent.push({ made, row, native, ours });
  }
  return sent;
}
