import { contrast, luminance } from '@pillion/lib/contrast.mjs';

/** Number of cells across and down in which the film behind the headline is measured. */
const CELLS = 16;

/** Minimum contrast of large text (WCAG 2.2, 1.4.3), and the share of the ground that may have less (decision 043). */
const ASKED = 3;
const SPARED = 0.1;

const STEP = 0.05;

/**
 * Adds a veil over the film, as opaque as the headline needs. The film is measured until it begins again: the veil becomes
 * more opaque with a frame that needs it, and never less, so that it does not flicker.
 * @returns The veil.
 */
export function addVeil(video: HTMLVideoElement, headline: Element): HTMLElement {
  const veil = document.createElement('div');
  veil.style.cssText =
    'position:absolute;inset:0;opacity:0;transition:opacity .6s;background:linear-gradient(rgb(var(--veil)) 50%,transparent 80%)';
  video.after(veil);
  const canvas = Object.assign(document.createElement('canvas'), { width: CELLS, height: CELLS });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  let opacity = 0;
  let last = 0;

  /** The colours of all cells; each is red, green and blue. */
  const cells = () => {
    const { data } = (context as CanvasRenderingContext2D).getImageData(0, 0, CELLS, CELLS);
    return Array.from({ length: CELLS * CELLS }, (_, at) => [...data.subarray(at * 4, at * 4 + 3)]);
  };
  /** Any CSS colour as red, green and blue. */
  const channelsOf = (colour: string) => {
    if (context) Object.assign(context, { fillStyle: colour }).fillRect(0, 0, CELLS, CELLS);
    return cells()[0] as number[];
  };
  /** Draws the part of the film that is behind the headline at the top of the page. */
  const draw = () => {
    const { left, top, width, height } = headline.getBoundingClientRect();
    const { clientWidth, clientHeight, videoWidth, videoHeight } = video;
    const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight);
    const [x = 0, y = 0] = getComputedStyle(video)
      .objectPosition.split(' ')
      .map((share) => Number.parseFloat(share) / 100);
    const from = [
      (left - x * (clientWidth - videoWidth * scale)) / scale,
      (top + scrollY - y * (clientHeight - videoHeight * scale)) / scale,
    ] as const;
    context?.drawImage(video, ...from, width / scale, height / scale, 0, 0, CELLS, CELLS);
  };
  const measure = () => {
    if (video.currentTime < last) video.removeEventListener('timeupdate', measure);
    last = video.currentTime;
    const ink = luminance(channelsOf(getComputedStyle(headline).color));
    const over = channelsOf(`rgb(${getComputedStyle(video).getPropertyValue('--veil')})`);
    draw();
    const ground = cells();
    const isReadable = () => {
      const low = ground.filter((cell) => {
        const seen = cell.map((value, channel) => value + ((over[channel] ?? 0) - value) * opacity);
        return contrast(ink, luminance(seen)) < ASKED;
      });
      return low.length <= ground.length * SPARED;
    };
    while (opacity < 1 && !isReadable()) opacity += STEP;
    veil.style.opacity = `${opacity}`;
  };
  measure();
  // Another size shows another part of the film behind the headline.
  new ResizeObserver(() => {
    last = 0;
    video.addEventListener('timeupdate', measure);
  }).observe(video);
  return veil;
}
