import { refusesMarketing } from '@pillion/lib/browser/visitor.ts';
import {
  type Choice,
  CONSENT_COOKIE as COOKIE,
  PURPOSES,
  type Purpose,
  readChoice,
  withoutRefused,
} from '@pillion/lib/consent.ts';
import { cookies, removeCookie } from './cookies.ts';

/** Lifetime of a choice, in seconds: half a year. */
const LIFETIME_S = 182 * 24 * 60 * 60;

const storedChoice = (): Choice | null => readChoice(cookies().find(([name]) => name === COOKIE)?.[1] ?? '');

/** The purposes that the visitor can agree to: without marketing if their browser refuses it. */
export const offeredPurposes = () => withoutRefused(refusesMarketing(), PURPOSES);

/** @returns The purposes that the visitor has agreed to; `null` if they have not chosen. */
export function grantedPurposes(): readonly Purpose[] | null {
  const choice = storedChoice();
  return choice && withoutRefused(refusesMarketing(), choice.categories);
}

/** Removes an invalid cookie of this name, because it could prevent the next choice from being stored. */
export function removeInvalidCookie(): void {
  if (storedChoice() === null && cookies().some(([name]) => name === COOKIE)) removeCookie(COOKIE);
}

/** Generates a UUID (RFC 9562, version 4). `crypto.randomUUID` exists on secure origins only. */
function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Stores a choice synchronously, in case the visitor leaves the page. */
export function storeChoice(categories: readonly Purpose[]): void {
  const now = new Date().toISOString();
  const { consentId = createUuid(), consentTimestamp = now } = storedChoice() ?? {};
  const choice: Choice = { categories, consentId, consentTimestamp, lastConsentTimestamp: now };
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is too young (Firefox 140), and answers later.
  document.cookie = `${COOKIE}=${encodeURIComponent(JSON.stringify(choice))}; max-age=${LIFETIME_S}; path=/; samesite=lax${secure}`;
}
