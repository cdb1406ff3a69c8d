/** Ids of one click, by which an advertising platform recognises a visitor. They are stored as a campaign, with consent to marketing. */
export const CLICK_IDS = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id'];

/** Parameters that identify a click or a person. Without consent they are not stored with the address of a page. */
export const IDENTIFYING = [
  ...CLICK_IDS,
  // Google Analytics, Display & Video 360, Merchant Center.
  ...['_gl', 'dclid', 'srsltid'],
  // X, Instagram, Mailchimp, Pinterest, Reddit, Snapchat.
  ...['twclid', 'igshid', 'mc_eid', 'epik', 'rdt_cid', 'ScCid'],
];

/**
 * Parameters that advertising platforms, newsletters and share buttons append to an address. No page depends on them.
 * `deploy/nginx/pillion/campaign-parameters.conf` has the same list.
 */
export const CAMPAIGN_PARAMETERS = [
  ...IDENTIFYING,
  // Google Analytics, "Custom campaigns"; the site that refers a visitor.
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id'],
  ...['utm_source_platform', 'utm_creative_format', 'utm_marketing_tactic', 'ref'],
  // Google Ads, Search Ads 360, Mailchimp.
  ...['gad_source', 'gad_campaignid', 'gclsrc', 'mc_cid'],
];

/** `No-Vary-Search` of a page: browsers reuse a cached page for an address with another click id. */
export const NO_VARY_SEARCH = `params=(${CAMPAIGN_PARAMETERS.map((name) => `"${name}"`).join(' ')})`;
