import { isCalm } from '@pillion/lib/browser/visitor.ts';
import type { FrameLoop } from '../frame/frame.ts';
import { UNCOUNTED } from './mixer.ts';

/** Distance from the pointer to the nearest corner of the label, in CSS pixels, so that the label covers no target. */
const OFFSET_PX = 18;

/** Share of the remaining distance that one 60 Hz frame covers. */
const LERP = 0.16;

/** Distance below which the label counts as arrived, in CSS pixels. */
const ARRIVED_PX = 0.1;

const FRAME_MS = 1000 / 60;

/**
 * Makes `label` follow the pointer (R10) with a delay, or without one if motion is reduced. The label flips to the
 * other side at the window's edges, and is hidden where a click does not start the sound. `data-shown` marks it as
 * visible.
 * @param movement A movement of the pointer that has already happened.
 * @returns A function that stops this.
 */
export function followPointer(label: HTMLElement, frame: FrameLoop, movement?: PointerEvent): () => void {
  const watch = new AbortController();
  const { signal } = watch;
  let target = { x: 0, y: 0 };
  let place = target;

  const show = () => {
    label.style.translate = `${place.x}px ${place.y}px`;
  };
  const follow = (_: number, delta: number) => {
    const share = 1 - (1 - LERP) ** (delta / FRAME_MS);
    const left = { x: target.x - place.x, y: target.y - place.y };
    const isThere = Math.hypot(left.x, left.y) < ARRIVED_PX;
    place = isThere ? target : { x: place.x + left.x * share, y: place.y + left.y * share };
    show();
    return !isThere;
  };
  const hide = () => {
    frame.stop(follow);
    delete label.dataset.shown;
  };
  const onMove = ({ clientX, clientY, pointerType, target: under }: PointerEvent) => {
    if (pointerType === 'touch') return;
    if (under instanceof Element && under.closest(UNCOUNTED)) return hide();
    target = { x: beside(clientX, label.offsetWidth, innerWidth), y: beside(clientY, label.offsetHeight, innerHeight) };
    // The corner of the label that is nearest to the pointer.
    label.style.setProperty('--lit-from', `${target.x > clientX ? 0 : 100}% ${target.y > clientY ? 0 : 100}%`);
    if (label.dataset.shown === undefined || isCalm()) {
      frame.stop(follow);
      place = target;
      show();
      label.dataset.shown = '';
    } else frame.play('follow', follow);
  };
  document.addEventListener('pointermove', onMove, { signal, passive: true });
  document.documentElement.addEventListener('pointerleave', hide, { signal });
  if (movement) onMove(movement);
  return () => {
    watch.abort();
    frame.stop(follow);
  };
}

/** Position of the label on one axis: after the pointer, or before it if the window has no room. */
const beside = (pointer: number, size: number, room: number): number =>
  pointer + OFFSET_PX + size <= room ? pointer + OFFSET_PX : Math.max(0, pointer - OFFSET_PX - size);
