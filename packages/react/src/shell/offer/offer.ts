import type { ShellContent } from '@pillion/content/types.ts';
import { afterPaint } from '@pillion/motion/frame/after-paint.ts';
import { askShell } from '../../navigation/shell-refresh.ts';
import { hasHero } from '../../registry/kind-of-page.ts';
import type { Site } from '../../site/site.ts';
import { addStyles } from '../../ui/add-styles.ts';
import styles from './offer.css?url';
import { chooseLanguage, offeredLanguage } from './offered-language.ts';

interface Line {
  /** The language that it is in. */
  tag: string;
  host: HTMLElement;
  link: HTMLAnchorElement;
}

let isStarted = false;

/** Whether a page of the site in another language led here: the visitor has chosen, by a switcher that no script heard. */
function cameFromAnother({ languages, home }: ShellContent): boolean {
  if (!document.referrer.startsWith(`${location.origin}/`)) return false;
  const { pathname } = new URL(document.referrer);
  const from = languages.findLast((language) => pathname.startsWith(language.home) || language.home === '/');
  return from?.home !== home;
}

/** Empty at first: a live region says only what comes into it later. */
function createLine(tag: string): Line {
  const host = Object.assign(document.createElement('div'), { className: 'offer', role: 'status' });
  // What is clicked in here is no answer to the music (R33).
  host.dataset.offer = '';
  const link = document.createElement('a');
  // Who cannot read the page meets it before all but the skip link, which is to be the first of all.
  document.querySelector('[href="#main"]')?.after(host);
  return { tag, host, link };
}

/** Says it in that language's own words. */
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
  // A link that is followed must not go before the browser has taken its address.
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
 * Offers the visitor the page in the language that she prefers, in one line of that language, for as long as the pages
 * that she goes on to stand in it. She is never led there unasked (decision 045).
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
    const [words] = await Promise.all([askShell(tag, build), addStyles(styles)]);
    if (line === begun) fill(begun, words);
  }
  const draw = () => {
    const { page } = site.view();
    const tag = offeredLanguage(page);
    if (tag !== line?.tag) {
      line?.host.remove();
      line = undefined;
      // Without its words nothing is offered.
      if (tag) begin(tag).catch(() => line?.host.remove());
    }
    if (!line || !tag) return;
    line.link.href = page.translations?.[tag]?.path ?? '';
    if (hasHero(page)) line.host.dataset.tone = 'dark';
    else delete line.host.dataset.tone;
  };
  site.subscribe(draw);
  draw();
}
