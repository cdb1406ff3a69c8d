import { richText } from '../../text/rich-text.ts';
import type { Warn } from '../../wordpress/result.ts';
import type { Rewriter } from '../../wordpress/rewrite.ts';
import type { AfterSending, Confirmation } from '../after-sending.ts';
import type { WireForm } from './schemas.ts';

type WireConfirmation = NonNullable<WireForm['confirmations']>[string];

/**
 * Gravity Forms' merge tags: `{Name (First):1.3:upper}`, `{entry_id}`, `{date_mdy}`, `{user:email}`. Labels and options have
 * at most 300 characters: without a limit a long text of colons would take seconds.
 */
const TAG = String.raw`\{(?:[^{}<>]{0,300}:\d+(?:\.\d+)?(?::[^{}<>]{0,300})?|[a-z][a-z_]*(?::[^{}<>]{0,300})?)\}`;
const HAS_TAG = new RegExp(TAG, 'i');
/** A shortcode, such as `[gallery]`, which only WordPress can replace. */
const HAS_SHORTCODE = /\[\w/;
/** Text that only introduces a tag, such as "Your number: {entry_id}." It begins where a sentence or another tag ends. */
const INTRODUCED_TAG = new RegExp(String.raw`(?<=^|[<>.!?\n}])[^<>.!?\n]*:\s*${TAG}(?:\s*${TAG})*[.!]?`, 'gi');
const TAG_BEFORE_STOP = new RegExp(String.raw`(?:,?\s+)?${TAG}(?=\s*[!.,?;])`, 'gi');
const ANY_TAG = new RegExp(String.raw`${TAG}[ \t]?`, 'gi');
const EMPTY_ELEMENT =
  /<(p|b|i|em|strong|span|div|li|ul|ol|h[1-6]|td|tr|table|tbody)(?:\s[^>]*)?>(?:\s|&nbsp;)*<\/\1>/gi;

/** @returns The text without Gravity Forms' merge tags and the words that introduce them; may be empty. */
export function withoutMergeTags(html: string): string {
  if (!HAS_TAG.test(html)) return html;
  let rest = html.replace(INTRODUCED_TAG, '').replace(TAG_BEFORE_STOP, '').replace(ANY_TAG, '');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(EMPTY_ELEMENT, '');
  }
  return rest.trim();
}

/** Adds a query to an address, without parameters that have merge tags; `null` if another part of it has one. */
function withQuery(url: string, queryString: string): string | null {
  // Not a `#` in a merge tag, such as `{Phone #:2}`.
  const [hash = ''] = /#[^#{}]*$/.exec(url) ?? [];
  const [address = '', query = ''] = url.slice(0, url.length - hash.length).split(/\?(.*)/s, 2);
  if (HAS_TAG.test(address)) return null;
  const kept = [query, queryString].flatMap((text) => text.split('&')).filter((pair) => pair && !HAS_TAG.test(pair));
  return address + (kept.length > 0 ? `?${kept.join('&')}` : '') + hash;
}

/** Target of a redirect: a path of this site, or a page of another site that the editor chose. */
const redirectTarget = (url: string, rewriter: Rewriter) => {
  const link = rewriter.link(url);
  return link !== null && /^(?:\/|https?:)/.test(link) ? link : null;
};

const messageConfirmation = (html: string, rewriter: Rewriter, warn: Warn): Confirmation => ({
  type: 'message',
  html: richText(html, rewriter, warn),
});

/** Confirmations of a sign-up, without those of a saved draft. */
const sendingConfirmations = ({ confirmations }: WireForm) =>
  Object.values(confirmations ?? {}).filter(({ event }) => event === '' || event === 'form_submission');

const defaultOf = (all: WireConfirmation[]) => all.find(({ isDefault }) => isDefault) ?? all[0];

/**
 * The confirmation that all visitors get; a page confirmation has its address in `url` too. Without a target or message
 * it is the general thanks.
 */
function confirmationOf(form: WireForm, rewriter: Rewriter, warn: Warn): Confirmation {
  const chosen = defaultOf(sendingConfirmations(form));
  const url = chosen && chosen.type !== 'message' ? withQuery(chosen.url, chosen.queryString) : null;
  const to = url === null ? null : redirectTarget(url, rewriter);
  if (to !== null) return { type: 'redirect', url: to };
  return messageConfirmation(withoutMergeTags(chosen?.message ?? ''), rewriter, warn);
}

/** Whether the confirmation or its text depends on the answers, so that only Gravity Forms knows it. */
function dependsOnAnswers(form: WireForm): boolean {
  const all = sendingConfirmations(form).filter(({ isActive }) => isActive);
  const chosen = defaultOf(all);
  if (!chosen) return false;
  const hasConditionalOthers = all.some((one) => one !== chosen && one.hasCondition);
  return (
    hasConditionalOthers ||
    [chosen.message, chosen.url, chosen.queryString].some((text) => HAS_TAG.test(text)) ||
    HAS_SHORTCODE.test(chosen.message)
  );
}

export function afterSendingOf(wire: WireForm, rewriter: Rewriter, warn: Warn): AfterSending {
  const confirmation = confirmationOf(wire, rewriter, warn);
  return {
    confirmation,
    dependsOnAnswers: dependsOnAnswers(wire),
    keepsAddress: !wire.personalData?.preventIP,
    read: (given) => {
      if (given.type === 'message') return messageConfirmation(given.html, rewriter, warn);
      const to = redirectTarget(given.url, rewriter);
      return to === null ? confirmation : { type: 'redirect', url: to };
    },
  };
}
