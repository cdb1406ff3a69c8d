import type { Form } from '@pillion/forms/form.ts';
import { richText } from '../text/rich-text.ts';
import { THANKS } from '../wordpress/default-strings.ts';
import type { WireForm } from '../wordpress/form-schemas.ts';
import type { Warn } from '../wordpress/result.ts';
import type { Rewriter } from '../wordpress/rewrite.ts';

/** The answer to a stored sign-up: sanitised HTML, or an address. */
export type Confirmation = { type: 'message'; html: string } | { type: 'redirect'; url: string };

type WireConfirmation = NonNullable<WireForm['confirmations']>[string];

/** Gravity Forms' merge tags: `{Name (First):1.3:upper}`, `{entry_id}`, `{date_mdy}`, `{user:email}`. */
const TAG = String.raw`\{(?:[^{}<>]*:\d+(?:\.\d+)?(?::[^{}<>]*)?|[a-z][a-z_]*(?::[^{}<>]*)?)\}`;
const HAS_TAG = new RegExp(TAG, 'i');
/** What only leads up to one says nothing without it: "Your number: {entry_id}." */
const LED_UP_TO = new RegExp(String.raw`[^<>.!?\n]*:\s*${TAG}(?:\s*${TAG})*[.!]?`, 'gi');
const BEFORE_STOP = new RegExp(String.raw`(?:,?\s+)?${TAG}(?=\s*[!.,?;])`, 'gi');
const ANYWHERE = new RegExp(String.raw`${TAG}[ \t]?`, 'gi');
const EMPTY = /<(p|b|i|em|strong|span|div|li|ul|ol|h[1-6]|td|tr|table|tbody)(?:\s[^>]*)?>(?:\s|&nbsp;)*<\/\1>/gi;

/** @returns The text without Gravity Forms' merge tags, so that what is left still reads; empty where nothing is. */
export function withoutMergeTags(html: string): string {
  if (!HAS_TAG.test(html)) return html;
  let left = html.replace(LED_UP_TO, '').replace(BEFORE_STOP, '').replace(ANYWHERE, '');
  for (let before = ''; before !== left; ) {
    before = left;
    left = left.replace(EMPTY, '');
  }
  return left.trim();
}

/** An address without what only Gravity Forms can fill in; `null` where that is its host or path. */
function withoutTagsInQuery(url: string, queryString: string): string | null {
  const [address = '', query = ''] = url.split(/\?(.*)/s, 2);
  if (HAS_TAG.test(address)) return null;
  const kept = [query, queryString].flatMap((text) => text.split('&')).filter((pair) => pair && !HAS_TAG.test(pair));
  return kept.length > 0 ? `${address}?${kept.join('&')}` : address;
}

/** Where a visitor may be taken: a path of this site, or a page elsewhere that the editor chose. */
const target = (url: string, rewriter: Rewriter) => {
  const link = rewriter.link(url);
  return link !== null && /^(?:\/|https?:)/.test(link) ? link : null;
};

const message = (html: string, rewriter: Rewriter, warn: Warn): Confirmation => ({
  type: 'message',
  html: richText(html, rewriter, warn) || THANKS,
});

/** Of those that answer a sign-up, and not a draft that was saved. */
const answering = ({ confirmations }: WireForm) =>
  Object.values(confirmations ?? {}).filter(({ event }) => event === '' || event === 'form_submission');

const chosenOf = (all: WireConfirmation[]) => all.find(({ isDefault }) => isDefault) ?? all[0];

/**
 * The confirmation as far as it is the same for every visitor; a page confirmation has its address in `url` too. A
 * visitor who is taken nowhere and told nothing is still thanked.
 */
function confirmationOf(form: WireForm, rewriter: Rewriter, warn: Warn): Confirmation {
  const chosen = chosenOf(answering(form));
  const url = chosen && chosen.type !== 'message' ? withoutTagsInQuery(chosen.url, chosen.queryString) : null;
  const to = url === null ? null : target(url, rewriter);
  if (to !== null) return { type: 'redirect', url: to };
  return message(withoutMergeTags(chosen?.message ?? ''), rewriter, warn);
}

/** Whether only Gravity Forms can say which confirmation a sign-up gets, or what stands in it. */
function dependsOnAnswers(form: WireForm): boolean {
  const all = answering(form).filter(({ isActive }) => isActive);
  const chosen = chosenOf(all);
  if (!chosen) return false;
  const others = all.some((one) => one !== chosen && one.hasCondition);
  return (
    others ||
    [chosen.message, chosen.url, chosen.queryString].some((text) => HAS_TAG.test(text)) ||
    /\[\w/.test(chosen.message)
  );
}

/** What the server alone knows of a form. A confirmation is for visitors who signed up, so no page carries it (decision 056). */
export interface AfterSending {
  confirmation: Confirmation;
  /** WordPress' own answer is worth waiting for. */
  dependsOnAnswers: boolean;
  /** Entries hold the visitor's address (Gravity Forms: Personal Data → IP Addresses). */
  keepsAddress: boolean;
  /** Makes WordPress' own words safe to show, and its addresses ours. */
  read: (given: Confirmation) => Confirmation;
}

const known = new WeakMap<Form, AfterSending>();

/** Remembers it beside the form: it is nothing that belongs into a page. */
export function rememberAfterSending(form: Form, wire: WireForm, rewriter: Rewriter, warn: Warn): Form {
  const confirmation = confirmationOf(wire, rewriter, warn);
  known.set(form, {
    confirmation,
    dependsOnAnswers: dependsOnAnswers(wire),
    keepsAddress: !wire.personalData?.preventIP,
    read: (given) => {
      const to = given.type === 'redirect' ? target(given.url, rewriter) : null;
      if (given.type === 'message') return message(given.html, rewriter, warn);
      return to === null ? confirmation : { type: 'redirect', url: to };
    },
  });
  return form;
}

/** A form that was made of another is still that form once it is sent. @returns The copy. */
export function rememberAs(form: Form, copy: Form): Form {
  const own = known.get(form);
  if (own) known.set(copy, own);
  return copy;
}

/** For a visitor who is known to have signed up for no form. */
export const GENERAL_THANKS: Confirmation = { type: 'message', html: THANKS };

export const afterSending = (form: Form): AfterSending =>
  known.get(form) ?? {
    confirmation: GENERAL_THANKS,
    dependsOnAnswers: false,
    keepsAddress: false,
    read: () => GENERAL_THANKS,
  };
