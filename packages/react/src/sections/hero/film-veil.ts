import { contrast, luminance } from '@pillion/lib/contrast.mjs';

/** Number of cells across and down in which the film behind the headline is measured. */
const GRID_CELLS = 16;

/** Minimum contrast of large text (WCAG 2.2, 1.4.3), and the share of the ground that may have less (decision 043). */
const MIN_CONTRAST = 3;
const MAX_LOW_CONTRAST_SHARE = 0.1;

const OPACITY_STEP = 0.05;

const VEIL_STYLE =
  'position:absolute;inset:0;opacity:0;transition:opacity .6s;background:linear-gradient(rgb(var(--veil)) 50%,transparent 80%)';

/** Reads colours from a small canvas, each as red, green and blue. */
function createSampler(context: CanvasRenderingContext2D) {
  const cells = () => {
    const { data } = context.getImageData(0, 0, GRID_CELLS, GRID_CELLS);
    return Array.from({ length: GRID_CELLS * GRID_CELLS }, (_, at) => [...data.subarray(at * 4, at * 4 + 3)]);
  };
  return {
    /** @param colour Any CSS colour. */
    colourOf(colour: string): number[] {
      context.fillStyle = colour;
      context.fillRect(0, 0, GRID_CELLS, GRID_CELLS);
      return cells()[0] as number[];
    },
    /** The colours of a part of the film, cell by cell. */
    cellsOf(video: HTMLVideoElement, { x, y, width, height }: DOMRectReadOnly): number[][] {
      context.drawImage(video, x, y, width, height, 0, 0, GRID_CELLS, GRID_CELLS);
      return cells();
    },
  };
}

/**
 * The part of the film that is behind the headline at the top of the page, in pixels of the film. The film covers its box
 * as `object-fit: cover` does.
 */
function filmAreaBehind(headline: Element, video: HTMLVideoElement): DOMRectReadOnly {
  const { left, top, width, height } = headline.getBoundingClientRect();
  const { clientWidth, clientHeight, videoWidth, videoHeight } = video;
  const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight);
  const [across = 0, down = 0] = getComputedStyle(video)
    .objectPosition.split(' ')
    .map((share) => Number.parseFloat(share) / 100);
  // 0, or negative if the film is cropped on this side.
  const filmLeft = across * (clientWidth - videoWidth * scale);
  const filmTop = down * (clientHeight - videoHeight * scale);
  return new DOMRectReadOnly(
    (left - filmLeft) / scale,
    (top + scrollY - filmTop) / scale,
    width / scale,
    height / scale,
  );
}

/**
 * Whether text has the minimum contrast over enough cells of the film, seen through the veil.
 * @param ink Luminance of the text, 0..1.
 * @param veil Its colour.
 */
function isReadable(ink: number, cells: number[][], veil: number[], opacity: number): boolean {
  const lowContrast = cells.filter((cell) => {
    const blended = cell.map((value, channel) => value + ((veil[channel] ?? 0) - value) * opacity);
    return contrast(ink, luminance(blended)) < MIN_CONTRAST;
  });
  return lowContrast.length <= cells.length * MAX_LOW_CONTRAST_SHARE;
}

/**
 * Adds a veil over the film, as opaque as the headline needs. The film is measured until it begins again. A frame can make
 * the veil more opaque, but never less, so that it does not flicker.
 * @returns The veil.
 */
export function addVeil(video: HTMLVideoElement, headline: Element): HTMLElement {
  const veil = document.createElement('div');
  veil.style.cssText = VEIL_STYLE;
  video.after(veil);
  const canvas = Object.assign(document.createElement('canvas'), { width: GRID_CELLS, height: GRID_CELLS });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) {
    // The film cannot be measured, so the veil suits any film.
    veil.style.opacity = '1';
    return veil;
  }
  const { colourOf, cellsOf } = createSampler(context);
  let opacity = 0;
  let lastTime = 0;

  const measure = () => {
    const hasRestarted = video.currentTime < lastTime;
    if (hasRestarted) video.removeEventListener('timeupdate', measure);
    lastTime = video.currentTime;
    const ink = luminance(colourOf(getComputedStyle(headline).color));
    const veilColour = colourOf(`rgb(${getComputedStyle(video).getPropertyValue('--veil')})`);
    const film = cellsOf(video, filmAreaBehind(headline, video));
    while (opacity < 1 && !isReadable(ink, film, veilColour, opacity)) opacity += OPACITY_STEP;
    veil.style.opacity = `${opacity}`;
  };
  const measureOnePass = () => {
    lastTime = 0;
    video.addEventListener('timeupdate', measure);
  };

  measure();
  // It reports the size once at the start, then each change: another size shows another part of the film.
  new ResizeObserver(measureOnePass).observe(video);
  return veil;
}
