import { type Attribution, isEmpty, readTouch } from '@pillion/lib/attribution.ts';
import { stored } from '@pillion/lib/browser/visitor.ts';

/** The query of a landing page, stored by `keep-campaign.ts`; of this page if nothing is stored or storage is blocked. */
const landingQuery = (key: 'first' | 'last') =>
  new URLSearchParams(stored((storage) => storage.getItem(`pillion-${key}`), 'sessionStorage') ?? location.search);

const readAttribution = (): Attribution => ({
  first: readTouch(landingQuery('first')),
  last: readTouch(landingQuery('last')),
});

/** The request field `attribution`, if a campaign led to this tab. */
export function campaignField(): { attribution?: string } {
  const campaign = readAttribution();
  return isEmpty(campaign) ? {} : { attribution: JSON.stringify(campaign) };
}

/** The page's query, followed by the tab's last campaign. Fields are filled from both; the page's own values win. */
export function searchWithCampaign(): string {
  const last = `${new URLSearchParams(readAttribution().last)}`;
  return last ? `${location.search}&${last}` : location.search;
}
