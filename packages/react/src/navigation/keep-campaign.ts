/** Parameters of a campaign without and with click ids, as `isAttributed` in packages/lib/src/attribution.ts. */
const CAMPAIGN_PARAMETERS = /[?&](?:utm_\w+|ref)=[^&]*/g;
const ALL_PARAMETERS = /[?&](?:utm_\w+|ref|[gw]braid|li_fat_id|msclkid|(?:g|fb|tt)clid)=[^&]*/g;

const matchParameters = (search: string, pattern: RegExp) => search.match(pattern)?.join('') ?? '';

/**
 * Keeps the campaign of a landing page in the tab. The form reads it (sections/sign-up/campaign.ts).
 * @param search Query of the page's URL.
 * @param keepsClickIds Whether to store click ids too. With a tag manager they need consent (`keepClickIds`).
 */
export function keepCampaign(search: string, keepsClickIds: boolean): void {
  const query = matchParameters(search, keepsClickIds ? ALL_PARAMETERS : CAMPAIGN_PARAMETERS);
  if (!query) return;
  try {
    sessionStorage['pillion-first'] ??= query;
    sessionStorage['pillion-last'] = query;
  } catch {}
}

/** Adds the click ids of the address with which this document was loaded. Called after consent to marketing. */
export function keepClickIds(): void {
  // Not `URL.parse`, which is too young (Safari 18).
  const { search } = new URL(performance.getEntriesByType('navigation')[0]?.name ?? location.href);
  const query = matchParameters(search, ALL_PARAMETERS);
  if (!query) return;
  try {
    // An earlier document may have set the first campaign.
    if ((sessionStorage.getItem('pillion-first') ?? '') === matchParameters(search, CAMPAIGN_PARAMETERS))
      sessionStorage['pillion-first'] = query;
    sessionStorage['pillion-last'] = query;
  } catch {}
}

/** Removes the click ids that are stored in the tab. Called without consent to marketing, also after it is withdrawn. */
export function dropClickIds(): void {
  try {
    for (const key of ['pillion-first', 'pillion-last']) {
      const query = matchParameters(sessionStorage.getItem(key) ?? '', CAMPAIGN_PARAMETERS);
      if (query) sessionStorage[key] = query;
      else sessionStorage.removeItem(key);
    }
  } catch {}
}
