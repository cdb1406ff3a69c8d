import { createHmac } from 'node:crypto';
import type { FakeWordpress } from './fake-wordpress.ts';
import { json, page, picture, route } from './fake-wordpress.ts';

/** Secret of both sides in tests. */
export const WEBHOOK_SECRET = `whsec_${Buffer.from('thirty-two bytes that nobody has').toString('base64')}`;

/** Origin of the fake WordPress' admin screens. */
export const EDITOR = 'https://wp.example';

const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** Signs like WordPress. @param prefix Names the kind of signed text. */
export const signed = (encoded: string, prefix = 'pillion-preview.', secret = WEBHOOK_SECRET): string =>
  createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(prefix + encoded)
    .digest('base64url');

const seconds = () => Math.floor(Date.now() / 1000);

/** Members of a token that only WordPress reads: the session and its own signature. */
const WORDPRESS_OWN = 'x'.repeat(43);

/** Creates a token like WordPress. @param more Members that differ from a new token for post 12. */
export function tokenOf(more: object = {}, secret = WEBHOOK_SECRET): string {
  const times = { o: seconds() + 600, e: seconds() + 28_800 };
  const payload = { k: 'open', p: 12, u: 1, l: '', s: WORDPRESS_OWN, ...times, m: WORDPRESS_OWN, ...more };
  const encoded = base64url(JSON.stringify(payload));
  return `${encoded}.${signed(encoded, 'pillion-preview.', secret)}`;
}

/** Cookie of a token that was opened on a site with https. */
export const cookieOf = (token: string): string =>
  `__Secure-pillion-preview=${token}~${signed(token, 'pillion-preview-opened.')}`;

/** A word that is on no published page. */
export const DRAFT_WORD = 'Quetzalcoatlus';

/** WordPress' response for a draft. @param more Members that differ from a landing page with a hero and a text. */
export const draftOf = (wordpress: Pick<FakeWordpress, 'url'>, more: object = {}) => ({
  page: {
    ...page(12, { status: 'draft', title: { rendered: `The ${DRAFT_WORD}` }, template: 'landing' }),
    sections: [
      {
        type: 'hero',
        heading: `Read the <em>${DRAFT_WORD}</em>`,
        picture: picture(wordpress.url, 'hero'),
        portrait: null,
      },
      { type: 'rich-text', html: `<p>Of ${DRAFT_WORD} nobody knows. <a href="/about/">About</a></p>` },
    ] as unknown[],
  },
  blocks: [0, 1],
  route: route(12, '/quetzal/', { template: 'landing' }),
  state: {
    status: 'draft',
    saved: '2026-11-22T14:02:00+00:00',
    clock: '14:02',
    date: null,
    kind: 'saved',
    title: `The ${DRAFT_WORD}`,
  },
  live: null,
  drafts: { '/about/': 2 },
  editor: EDITOR,
  ...more,
});

export const previewPath = (post: number) => `/wp-json/pillion/v1/preview/${post}`;

/** Makes the fake WordPress return the draft of post 12. */
export const serveDraft = (wordpress: FakeWordpress, more: object = {}): void =>
  void wordpress.plays.set(previewPath(12), json(draftOf(wordpress, more)));
