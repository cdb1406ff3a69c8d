import type { NoDraft } from '@pillion/content/preview/previews.ts';

/** Why a preview is not shown. */
export type NoPreview = NoDraft | 'no-cookie' | 'no-secret' | 'unreadable';

interface Refusal {
  status: 403 | 404 | 503;
  title: string;
  paragraph: string;
}

const FROM_WORDPRESS = 'Open the preview again from WordPress';

/** Texts for editors and for those who have a link from them. Visitors do not see them. */
export const REFUSALS: Record<NoPreview, Refusal> = {
  'no-cookie': {
    status: 403,
    title: 'No preview is open here',
    paragraph: `Only editors, and people with a link from them, can see previews. ${FROM_WORDPRESS}, or follow your link again.`,
  },
  expired: {
    status: 403,
    title: 'This preview has expired',
    paragraph: `${FROM_WORDPRESS}, or ask the sender of the link for a new one.`,
  },
  wrong: {
    status: 403,
    title: 'This preview link is not valid',
    paragraph: `The address is incomplete, was changed, or is for another page. ${FROM_WORDPRESS}, or copy the whole link.`,
  },
  withdrawn: {
    status: 403,
    title: 'This link was withdrawn',
    paragraph: 'The sender has withdrawn it. Ask for a new one.',
  },
  used: {
    status: 403,
    title: 'This preview was opened already',
    paragraph: `Its address opens once, in one browser. ${FROM_WORDPRESS}. To show it to another person, copy a link to the preview there.`,
  },
  rights: {
    status: 403,
    title: 'You cannot see this draft',
    paragraph: 'Only users who may edit a page can see its preview. Ask its author or an administrator.',
  },
  gone: {
    status: 404,
    title: 'This draft was deleted',
    paragraph: 'If it is in WordPress’ trash, restore it and open the preview again.',
  },
  broken: {
    status: 503,
    title: 'WordPress cannot render this draft',
    paragraph: 'A block or a plugin failed. Remove the block that was added last, save, and load this page again.',
  },
  busy: {
    status: 503,
    title: 'Too many previews at once',
    paragraph: 'Wait a few seconds, then load this page again.',
  },
  silent: {
    status: 503,
    title: 'WordPress does not answer',
    paragraph: 'The draft is safe there, and visitors are not affected. Load this page again in a moment.',
  },
  unreadable: {
    status: 503,
    title: 'This draft cannot be shown',
    paragraph: 'WordPress’ response is invalid. The site’s operator can find the reason with npm run doctor.',
  },
  'no-secret': {
    status: 503,
    title: 'Previews are not set up',
    paragraph:
      'WordPress and this site need a shared secret for them: WEBHOOK_SECRET here, Pillion → Site in WordPress.',
  },
};
