import { EMBED } from '@pillion/content/embeds.ts';
import type { Mixer } from '@pillion/motion/sound/mixer.ts';

/**
 * Replaces the link to a video by its player when the visitor follows it, and mutes the music. Until then nothing is
 * requested from the player's host. A click with a modifier key opens the link.
 */
export function playEmbeds(mixer: Mixer): void {
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element && event.target.closest(`[${EMBED}]`);
    if (!link) return;
    event.preventDefault();
    if (!mixer.state().muted) mixer.toggle();
    const player = document.createElement('iframe');
    const address = new URL(link.getAttribute(EMBED) ?? '');
    address.searchParams.set('autoplay', '1');
    player.src = address.href;
    player.title = link.textContent ?? '';
    player.allow = 'autoplay; fullscreen; picture-in-picture';
    link.replaceWith(player);
    player.focus();
  });
}
