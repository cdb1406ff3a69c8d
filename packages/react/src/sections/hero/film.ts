import { isCalm, onMotionChange, tellOfMotion } from '@pillion/lib/browser/visitor.ts';
import { addVeil } from './film-veil.ts';

/** Duration of the change from the picture to the film, in milliseconds. */
const FADE_MS = 600;

/**
 * Plays a film over the picture in `container` while it is visible and the visitor allows motion. The first time that
 * this is so the film is requested. The picture stays if the film cannot be played.
 * @param signal When it is aborted, the film is removed.
 */
export function showFilm(container: HTMLElement, src: string, className: string, signal: AbortSignal): void {
  if (signal.aborted) return;
  const forcedColours = matchMedia('(forced-colors: active)');
  /** Visible elements that reveal the backdrop. */
  const visible = new Set<Element>();
  let video: HTMLVideoElement | undefined;
  let veil: HTMLElement | undefined;

  const update = () => {
    // With forced colours no picture is shown.
    const isPlaying = visible.size > 0 && !document.hidden && !isCalm() && !forcedColours.matches;
    if (!isPlaying) return video?.pause();
    video ??= createVideo();
    // `AbortError`: it was paused before it could play. Others: the browser plays no films now, or not this one.
    video.play().catch(({ name }: DOMException) => name !== 'AbortError' && playback.abort());
  };
  const createVideo = () => {
    const created = document.createElement('video');
    Object.assign(created, { className, src, muted: true, loop: true, playsInline: true, disableRemotePlayback: true });
    created.ariaHidden = 'true';
    // Cropped as its picture.
    Object.assign(created.dataset, { ...container.querySelector('img')?.dataset });
    created.style.opacity = '0';
    created.onplaying = () => {
      created.onplaying = null;
      const headline = container.parentElement?.querySelector('h1, h2');
      if (headline) veil = addVeil(created, headline);
      created.style.opacity = '';
      created.animate({ opacity: [0, 1] }, FADE_MS);
    };
    created.onerror = () => playback.abort();
    // React keeps this element after the picture.
    container.querySelector('[data-film]')?.append(created);
    return created;
  };

  const playback = new AbortController();
  const { signal: endSignal } = playback;
  signal.addEventListener('abort', () => playback.abort(), { signal: endSignal });
  const visibilityObserver = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) visible[isIntersecting ? 'add' : 'delete'](target);
    update();
  });
  for (const element of [container.parentElement, ...document.querySelectorAll('[data-reveals-scene]')])
    if (element) visibilityObserver.observe(element);
  document.addEventListener('visibilitychange', update, { signal: endSignal });
  const unsubscribe = onMotionChange(update);
  container.dataset.moves = '';
  tellOfMotion();
  endSignal.addEventListener('abort', () => {
    unsubscribe();
    visibilityObserver.disconnect();
    delete container.dataset.moves;
    tellOfMotion();
    // Without this the browser goes on loading the file.
    video?.removeAttribute('src');
    video?.load();
    video?.remove();
    veil?.remove();
  });
}
