import { EMBED } from '@pillion/content/embeds.ts';
import type { Mixer } from '@pillion/motion/sound/mixer.ts';

/**
 * Replaces the link to a video by its player and stops the music. Until then nothing is requested from the player's
 * host.
 */
export function playEmbed(link: HTMLAnchorElement, mixer: Mixer): void {
  mixer.silence();
  const player = document.createElement('iframe');
  const address = new URL(link.getAttribute(EMBED) ?? '');
  address.searchParams.set('autoplay', '1');
  player.src = address.href;
  player.title = link.textContent ?? '';
  player.allow = 'autoplay; fullscreen; picture-in-picture';
  link.replaceWith(player);
  player.focus();
}
