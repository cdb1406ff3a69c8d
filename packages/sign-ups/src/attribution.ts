import type { Answers, Form } from '@pillion/forms/form.ts';
import { type Attribution, isAttributed, isClickId, isEmpty, readTouch, type Touch } from '@pillion/lib/attribution.ts';
import { IDENTIFYING } from '@pillion/lib/campaign-parameters.ts';
import { consentOf } from './visitor-consent.ts';

/**
 * Whether click ids may be stored: with consent to marketing if the site asks for it. Global Privacy Control always
 * refuses.
 */
export const mayKeepClickIds = (headers: Headers, asksConsent: boolean): boolean =>
  asksConsent ? consentOf(headers).includes('marketing') : headers.get('sec-gpc') !== '1';

/** Reads the request field `attribution`. @returns `null` if it is missing or invalid, which refuses no sign-up. */
function parseAttribution(text: string): Attribution | null {
  try {
    const { first, last } = JSON.parse(text);
    return { first: readTouch(Object.entries(first ?? {})), last: readTouch(Object.entries(last ?? {})) };
  } catch {
    return null;
  }
}

const withoutClickIds = (touch: Touch): Touch =>
  Object.fromEntries(Object.entries(touch).filter(([name]) => !isClickId(name)));

/**
 * The campaigns of a sign-up; `null`: none.
 * @param page The page with the form. Its query counts if a browser without script sends no field.
 */
export function attributionOf(field: string, page: URL | null, keepsClickIds: boolean): Attribution | null {
  const query = readTouch(page?.searchParams ?? []);
  const sent = parseAttribution(field) ?? { first: query, last: query };
  const allowed = keepsClickIds ? sent : { first: withoutClickIds(sent.first), last: withoutClickIds(sent.last) };
  return isEmpty(allowed) ? null : allowed;
}

/** Fills the hidden fields that are named after a campaign parameter with the last touch. */
export function withCampaign(form: Form, answers: Answers, last: Touch, keepsClickIds: boolean): Answers {
  const filled = { ...answers };
  const hidden = form.fields.filter(({ type }) => type === 'hidden').flatMap(({ inputs }) => inputs);
  for (const { name, prefill, defaultValue } of hidden) {
    if (prefill === null) continue;
    const value = isAttributed(prefill) ? last[prefill] : undefined;
    if (value !== undefined) filled[name] = value;
    else if (name in filled && IDENTIFYING.includes(prefill) && !keepsClickIds) filled[name] = defaultValue;
  }
  return filled;
}
