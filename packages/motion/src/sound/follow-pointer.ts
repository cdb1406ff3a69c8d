import { isCalm } from '@pillion/lib/browser/visitor.ts';
import type { FrameLoop } from '../frame/frame.ts';
import { UNCOUNTED } from './mixer.ts';

/** Distance between the pointer and the label's nearest corner, in CSS pixels: nothing that is pointed at lies under it. */
const OFFSET_PX = 18;

/** Share of the way that one 60 Hz frame covers. */
const LERP = 0.16;

/** Nearer than this the label has arrived, in CSS pixels. */
const ARRIVED_PX = 0.1;

const FRAME_MS = 1000 / 60;

/**
 * Lets `label` trail behind the pointer (R10), from its first movement on; calm, it sits at the pointer. It turns to the
 * other side where the window ends, and is gone where a click would not start the sound. Shown = `data-shown`.
 * @param movement One that the pointer has made already.
 * @returns Leaves the pointer alone.
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
    // The corner that the pointer is at: the label is lit from there.
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

/** Where a label of this size stands beside the pointer: after it, or before it where the window has no more room. */
const beside = (pointer: number, size: number, room: number): number =>
  pointer + OFFSET_PX + size <= room ? pointer + OFFSET_PX : Math.max(0, pointer - OFFSET_PX - size);
