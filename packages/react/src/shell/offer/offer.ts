import type { ShellContent } from '@pillion/content/types.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import { askShell } from '../../navigation/shell-refresh.ts';
import { hasHero } from '../../registry/kind-of-page.ts';
import type { Site } from '../../site/site.ts';
import { addStyles } from '../../ui/add-styles.ts';
import styles from './offer.css?url';
import { chooseLanguage, offeredLanguage } from './offered-language.ts';

interface Line {
  /** Its language. */
  tag: string;
  host: HTMLElement;
  link: HTMLAnchorElement;
}

let isStarted = false;

/** Whether the visitor came from a page in another language: they have chosen with the switcher, without script. */
function cameFromAnother({ languages, home }: ShellContent): boolean {
  if (!document.referrer.startsWith(`${location.origin}/`)) return false;
  const { pathname } = new URL(document.referrer);
  const from = languages.findLast((language) => pathname.startsWith(language.home));
  return from?.home !== home;
}

/** Starts empty, because a live region announces only later changes. */
function createLine(tag: string): Line {
  const host = Object.assign(document.createElement('div'), { className: 'offer', role: 'status' });
  // Clicks in the offer do not start the music (R33).
  host.dataset.offer = '';
  const link = document.createElement('a');
  // Directly after the skip link, so that it comes before the rest of the page.
  document.querySelector('[href="#main"]')?.after(host);
  return { tag, host, link };
}

/** Fills in the offer, in the offered language. */
function fill({ tag, host, link }: Line, { dir, strings, languages }: ShellContent): void {
  const { offer, close } = strings.labels;
  const words = Object.assign(document.createElement('p'), { lang: tag, dir });
  const name = languages.find((language) => language.tag === tag)?.name ?? tag;
  link.textContent = offer.replace('{language}', name);
  link.hreflang = tag;
  const button = Object.assign(document.createElement('button'), { type: 'button' });
  button.setAttribute('aria-label', close);
  words.append(link, button);
  host.append(words);
  // Remove the link only after the browser has followed it.
  const decline = () => {
    chooseLanguage(tag);
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
  if (cameFromAnother(shell)) {
    chooseLanguage(shell.lang);
    return;
  }
  let line: Line | undefined;

  async function begin(tag: string): Promise<void> {
    const begun = createLine(tag);
    line = begun;
    try {
      const [words] = await Promise.all([askShell(tag, build), addStyles(styles)]);
      if (line === begun) fill(begun, words);
    } catch {
      // Without the texts there is no offer.
      begun.host.remove();
    }
  }
  const draw = () => {
    const { page } = site.view();
    const tag = offeredLanguage(page);
    if (tag !== line?.tag) {
      line?.host.remove();
      line = undefined;
      if (tag) void begin(tag);
    }
    if (!line || !tag) return;
    line.link.href = page.translations?.[tag]?.path ?? '';
    if (hasHero(page)) line.host.dataset.tone = 'dark';
    else delete line.host.dataset.tone;
  };
  site.subscribe(draw);
  draw();
}
