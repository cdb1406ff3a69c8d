import { type Attribution, isEmpty, readTouch } from '@pillion/lib/attribution.ts';

/** A query that the entry has kept in the tab; the page's own one if storage is blocked. */
function storedQuery(key: 'first' | 'last'): URLSearchParams {
  let kept: string | null = null;
  try {
    kept = sessionStorage.getItem(`pillion-${key}`);
  } catch {}
  return new URLSearchParams(kept ?? location.search);
}

const readAttribution = (): Attribution => ({
  first: readTouch(storedQuery('first')),
  last: readTouch(storedQuery('last')),
});

/** The request field `attribution`, if a campaign led to this tab. */
export function campaignField(): { attribution?: string } {
  const campaign = readAttribution();
  return isEmpty(campaign) ? {} : { attribution: JSON.stringify(campaign) };
}

/** The page's query, followed by the campaign that is not in it. Fields are filled from both. */
export function searchWithCampaign(): string {
  const last = `${new URLSearchParams(readAttribution().last)}`;
  return last ? `${location.search}&${last}` : location.search;
}
