import { type Attribution, isEmpty, readTouch } from '@pillion/lib/attribution.ts';

/** A query that the entry has kept in the tab; the page's own one if storage is blocked. */
function query(key: 'first' | 'last'): URLSearchParams {
  let kept: string | null = null;
  try {
    kept = sessionStorage.getItem(`pillion-${key}`);
  } catch {}
  return new URLSearchParams(kept ?? location.search);
}

const attribution = (): Attribution => ({ first: readTouch(query('first')), last: readTouch(query('last')) });

/** The request field `attribution`, if a campaign led to this tab. */
export function campaignField(): { attribution?: string } {
  const campaign = attribution();
  return isEmpty(campaign) ? {} : { attribution: JSON.stringify(campaign) };
}

/** The page's query, followed by the campaign that is not in it. Fields are filled from both. */
export function searchWithCampaign(): string {
  const last = `${new URLSearchParams(attribution().last)}`;
  return last ? `${location.search}&${last}` : location.search;
}
