import type { Engines } from '@pillion/motion/engines.ts';
import type { Site } from '../site/site.ts';
import { attachFooter } from './footer/attach-footer.ts';
import { watchScrolled } from './header/watch-scrolled.ts';
import { attachBar } from './scrollbar/attach-bar.ts';
import { attachToggles } from './toggles/attach-toggles.ts';

const attached = new WeakSet<Element>();

/**
 * Gives the shell its behavior. React only renders its HTML, so a page works the same without React. Called again after
 * React has hydrated the page, which has no effect unless React had to replace the server's HTML.
 */
export function attachShell(site: Site, engines: Engines): void {
  const findPart = (selector: string) => document.querySelector<HTMLElement>(`#root ${selector}`);
  const footer = findPart('footer');
  if (!footer || attached.has(footer)) return;
  attached.add(footer);
  attachFooter(footer);
  const bar = findPart('[data-header-bar]');
  // The sentinel of the bar comes before the header.
  const sentinel = bar?.parentElement?.previousElementSibling;
  if (bar && sentinel) watchScrolled(sentinel, bar);
  const toggles = findPart('[data-toggles]');
  if (toggles) attachToggles(toggles, engines.mixer);
  const scrollbar = findPart('[data-scrollbar]');
  if (scrollbar) attachBar(scrollbar, engines);
  const loadTrack = () => engines.mixer.load(site.view().shell.strings.audio.url);
  site.subscribe(loadTrack);
  loadTrack();
}
