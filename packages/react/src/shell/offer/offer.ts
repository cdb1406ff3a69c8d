import type { ShellContent } from '@pillion/content/types.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import { fetchShell } from '../../navigation/shell-refresh.ts';
import { hasHero } from '../../registry/kind-of-page.ts';
import type { Site } from '../../site/site.ts';
import { addStyles } from '../../ui/add-styles.ts';
import styles from './offer.css?url';
import { offeredLanguage, storeLanguageChoice } from './offered-language.ts';

interface OfferLine {
  /** The offered language, also that of the text. */
  tag: string;
  host: HTMLElement;
  link: HTMLAnchorElement;
}

/** `startOffer` is called for each page that could be offered in another language. */
let isStarted = false;

/** Whether the visitor came from a page in another language: they have chosen with the switcher, without script. */
function cameFromOtherLanguage({ languages, home }: ShellContent): boolean {
  if (!document.referrer.startsWith(`${location.origin}/`)) return false;
  const { pathname } = new URL(document.referrer);
  // The last one, because the home of the first language, `/`, is the start of all paths.
  const from = languages.findLast((language) => pathname.startsWith(language.home));
  return from?.home !== home;
}

/** Starts empty, because a live region announces only later changes. */
function createOfferLine(tag: string): OfferLine {
  const host = Object.assign(document.createElement('div'), { className: 'offer', role: 'status' });
  // Clicks in the offer do not start the music (R33).
  host.dataset.offer = '';
  const link = document.createElement('a');
  // After the skip link, so that it comes before the rest of the page, in an element whose content React ignores.
  document.querySelector('[href="#main"]+div')?.append(host);
  return { tag, host, link };
}

/** Fills in the offer, in the offered language. */
function fillOffer({ tag, host, link }: OfferLine, { dir, strings, languages }: ShellContent): void {
  const { offer, close } = strings.labels;
  const text = Object.assign(document.createElement('p'), { lang: tag, dir });
  const name = languages.find((language) => language.tag === tag)?.name ?? tag;
  link.textContent = offer.replace('{language}', name);
  link.hreflang = tag;
  const button = Object.assign(document.createElement('button'), { type: 'button' });
  button.setAttribute('aria-label', close);
  text.append(link, button);
  host.append(text);
  // Remove the link only after the browser has followed it.
  const decline = () => {
    storeLanguageChoice(tag);
    afterPaint(() => host.remove());
  };
  link.onclick = decline;
  button.onclick = decline;
  host.onkeydown = (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    decline();
  };
}

/**
 * Offers the visitor the page in their preferred language, in one line in that language, on each page that exists in
 * it. Visitors are never redirected by language (decision 045).
 */
export function startOffer(site: Site, build: string): void {
  if (isStarted) return;
  isStarted = true;
  const { shell } = site.view();
  if (cameFromOtherLanguage(shell)) {
    storeLanguageChoice(shell.lang);
    return;
  }
  let line: OfferLine | undefined;

  async function showOffer(tag: string): Promise<void> {
    const created = createOfferLine(tag);
    line = created;
    try {
      const [shell] = await Promise.all([fetchShell(tag, build), addStyles(styles)]);
      if (line === created) fillOffer(created, shell);
    } catch {
      // Without the texts there is no offer.
      created.host.remove();
    }
  }
  const updateOffer = () => {
    const { page } = site.view();
    const tag = offeredLanguage(page);
    if (tag !== line?.tag) {
      line?.host.remove();
      line = undefined;
      if (tag) void showOffer(tag);
    }
    if (!line || !tag) return;
    line.link.href = page.translations?.[tag]?.path ?? '';
    if (hasHero(page)) line.host.dataset.tone = 'dark';
    else delete line.host.dataset.tone;
  };
  site.subscribe(updateOffer);
  updateOffer();
}
