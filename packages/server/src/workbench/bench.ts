/** The document of the workbench: list of states, switches for width and theme, frames. */
import { escapeMarkup } from '@pillion/lib/escape.ts';
import { addressOfSource } from '../source-address.ts';

/** Widths to choose from, each with the height of a common window of this width, in CSS pixels. */
const WIDTHS: Record<number, number> = { 390: 844, 768: 1024, 1440: 900 };
const THEMES = ['dark', 'light'] as const;

/** Limits of a frame's width, in CSS pixels. */
const NARROWEST = 240;
const WIDEST = 3840;

interface Entry {
  group: string;
  state: string;
  /** Path of the page in this state. */
  path: string;
}

export interface BenchChoice {
  /** Group and state from the address; `null`: none chosen. */
  group: string | null;
  state: string | null;
  widths: number[];
  themes: string[];
}

/** A name in the form that addresses use. */
export const slug = (name: string): string => name.replaceAll(/[ ,]+/g, '-');

const list = <T extends string | number>(text: string | undefined, read: (word: string) => T | null): T[] =>
  (text ?? '').split(',').flatMap((word) => read(word) ?? []);

/** Reads widths and themes from an address. Default: a phone in the dark theme. */
export function choiceOf(query: Record<string, string>): Pick<BenchChoice, 'widths' | 'themes'> {
  const widths = list(query.width, (word) => {
    const width = Number.parseInt(word, 10);
    return width >= NARROWEST && width <= WIDEST ? width : null;
  });
  const themes = list(query.theme, (word) => THEMES.find((theme) => theme === word) ?? null);
  return { widths: widths.length > 0 ? widths : [390], themes: themes.length > 0 ? themes : ['dark'] };
}

const benchPath = ({ group, state, widths, themes }: BenchChoice) =>
  `/workbench${group === null || state === null ? '' : `/${slug(group)}/${slug(state)}`}?width=${widths.join()}&theme=${themes.join()}`;

const link = (choice: BenchChoice, text: string, isCurrent: boolean) =>
  `<a href="${escapeMarkup(benchPath(choice))}"${isCurrent ? ' aria-current="true"' : ''}>${escapeMarkup(text)}</a>`;

function sideOf(entries: Entry[], choice: BenchChoice): string {
  const groups = Map.groupBy(entries, ({ group }) => group);
  const parts = [...groups].map(([group, states]) => {
    const isChosen = slug(group) === choice.group;
    const links = states.map(
      ({ state }) => `<li>${link({ ...choice, group, state }, state, isChosen && slug(state) === choice.state)}</li>`,
    );
    return `<details${isChosen || choice.group === null ? ' open' : ''}><summary>${escapeMarkup(group)}</summary><ul>${links.join('')}</ul></details>`;
  });
  return `<nav class="list" aria-label="States"><h1><a href="/workbench">Workbench</a></h1>${parts.join('')}</nav>`;
}

function barOf(choice: BenchChoice): string {
  const known = Object.keys(WIDTHS).map(Number);
  const widths = [...known.map((width) => [width]), known].map((widths) =>
    link({ ...choice, widths }, widths.length > 1 ? 'All' : `${widths[0]}`, widths.join() === choice.widths.join()),
  );
  const themes = [...THEMES.map((theme) => [theme]), [...THEMES]].map((themes) =>
    link({ ...choice, themes }, themes.length > 1 ? 'Both' : `${themes[0]}`, themes.join() === choice.themes.join()),
  );
  return `<div class="bar"><nav aria-label="Width">${widths.join('')}</nav><form><input type="hidden" name="theme" value="${choice.themes.join()}"><label>Width <input name="width" type="number" min="${NARROWEST}" max="${WIDEST}" value="${choice.widths[0]}"></label></form><nav aria-label="Theme">${themes.join('')}</nav></div>`;
}

function framesOf(path: string, { widths, themes }: BenchChoice): string {
  const frames = themes.flatMap((theme) =>
    widths.map((width) => {
      const height = WIDTHS[width] ?? 900;
      const address = escapeMarkup(`${path}?theme=${theme}`);
      return `<figure data-width="${width}"><figcaption>${width} × ${height}, ${theme} · <a href="${address}" target="_blank">by itself</a></figcaption><iframe title="${width} pixels, ${theme}" src="${address}" width="${width}" height="${height}"></iframe></figure>`;
    }),
  );
  return `<div class="frames">${frames.join('')}</div>`;
}

/** Scales down frames that are wider than their place. The page in a frame keeps its width. */
const SCRIPT = `
const frames = document.querySelector('.frames');
const fit = () => {
  for (const figure of frames.querySelectorAll('figure')) {
    const room = frames.clientWidth - 32;
    figure.style.zoom = Math.min(1, room / figure.dataset.width);
  }
};
if (frames) { addEventListener('resize', fit); fit(); }
document.querySelector('.list [aria-current]')?.scrollIntoView({ block: 'center' });
`;

export function benchDocument(entries: Entry[], choice: BenchChoice): string {
  const chosen = entries.find(({ group, state }) => slug(group) === choice.group && slug(state) === choice.state);
  const title = chosen ? `${chosen.group}: ${chosen.state}` : 'Workbench';
  const shown = chosen
    ? framesOf(chosen.path, choice)
    : `<div class="frames"><p>${entries.length} states. Choose one at the side; its address can be kept and sent.</p></div>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeMarkup(title)}</title><link rel="stylesheet" href="${addressOfSource('@pillion/server/workbench/workbench.css')}"></head><body>${sideOf(entries, choice)}<main>${barOf(choice)}${shown}</main><script>${SCRIPT}</script></body></html>`;
}
