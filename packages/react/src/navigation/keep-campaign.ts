/** Parameters of a campaign, as `isAttributed` in packages/lib/src/attribution.ts. */
const NAMED = /[?&](?:utm_\w+|ref)=[^&]*/g;
const ALL = /[?&](?:utm_\w+|ref|[gw]braid|li_fat_id|msclkid|(?:g|fb|tt)clid)=[^&]*/g;

const within = (search: string, names: RegExp) => search.match(names)?.join('') ?? '';

/** Keeps the campaign of a landing page in the tab. The form reads it (sections/sign-up/campaign.ts). */
export function keepCampaign(search: string, keepsClickIds: boolean): void {
  const query = within(search, keepsClickIds ? ALL : NAMED);
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
  const query = within(search, ALL);
  if (!query) return;
  try {
    // An earlier document may have set the first campaign.
    if ((sessionStorage.getItem('pillion-first') ?? '') === within(search, NAMED))
      sessionStorage['pillion-first'] = query;
    sessionStorage['pillion-last'] = query;
  } catch {}
}
