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
  const forced = matchMedia('(forced-colors: active)');
  /** Visible elements that reveal the backdrop. */
  const revealing = new Set<Element>();
  let video: HTMLVideoElement | undefined;
  let veil: HTMLElement | undefined;

  const update = () => {
    // With forced colours no picture is shown.
    const isPlaying = revealing.size > 0 && !document.hidden && !isCalm() && !forced.matches;
    if (!isPlaying) return video?.pause();
    video ??= createVideo();
    // `AbortError`: it was paused before it could play. Others: the browser plays no films now, or not this one.
    video.play().catch(({ name }: DOMException) => name !== 'AbortError' && leave.abort());
  };
  const createVideo = () => {
    const made = document.createElement('video');
    Object.assign(made, { className, src, muted: true, loop: true, playsInline: true, disableRemotePlayback: true });
    made.ariaHidden = 'true';
    // Cropped as its picture.
    Object.assign(made.dataset, { ...container.querySelector('img')?.dataset });
    made.style.opacity = '0';
    made.onplaying = () => {
      made.onplaying = null;
      const headline = container.parentElement?.querySelector('h1, h2');
      if (headline) veil = addVeil(made, headline);
      made.style.opacity = '';
      made.animate({ opacity: [0, 1] }, FADE_MS);
    };
    made.onerror = () => leave.abort();
    // React keeps this element after the picture.
    container.querySelector('[data-film]')?.append(made);
    return made;
  };

  const leave = new AbortController();
  const { signal: left } = leave;
  signal.addEventListener('abort', () => leave.abort(), { signal: left });
  const sections = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) revealing[isIntersecting ? 'add' : 'delete'](target);
    update();
  });
  for (const element of [container.parentElement, ...document.querySelectorAll('[data-reveals-scene]')])
    if (element) sections.observe(element);
  document.addEventListener('visibilitychange', update, { signal: left });
  const off = onMotionChange(update);
  container.dataset.moves = '';
  tellOfMotion();
  left.addEventListener('abort', () => {
    off();
    sections.disconnect();
    delete container.dataset.moves;
    tellOfMotion();
    // Without this the browser goes on loading the file.
    video?.removeAttribute('src');
    video?.load();
    video?.remove();
    veil?.remove();
  });
}
