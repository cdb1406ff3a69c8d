import { isCalm } from '@pillion/lib/browser/visitor.ts';
import type { FrameLoop } from '../frame/frame.ts';
import { IGNORED_CLICKS } from './mixer.ts';

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
  const controller = new AbortController();
  const { signal } = controller;
  let target = { x: 0, y: 0 };
  let position = target;

  const moveLabel = () => {
    label.style.translate = `${position.x}px ${position.y}px`;
  };
  const animate = (_: number, delta: number) => {
    const eased = 1 - (1 - LERP) ** (delta / FRAME_MS);
    const distance = { x: target.x - position.x, y: target.y - position.y };
    const hasArrived = Math.hypot(distance.x, distance.y) < ARRIVED_PX;
    position = hasArrived ? target : { x: position.x + distance.x * eased, y: position.y + distance.y * eased };
    moveLabel();
    return !hasArrived;
  };
  const hideLabel = () => {
    frame.stop(animate);
    delete label.dataset.shown;
  };
  const onMove = ({ clientX, clientY, pointerType, target: hovered }: PointerEvent) => {
    if (pointerType === 'touch') return;
    if (hovered instanceof Element && hovered.closest(IGNORED_CLICKS)) return hideLabel();
    target = {
      x: labelPosition(clientX, label.offsetWidth, innerWidth),
      y: labelPosition(clientY, label.offsetHeight, innerHeight),
    };
    // The corner of the label that is nearest to the pointer.
    label.style.setProperty('--lit-from', `${target.x > clientX ? 0 : 100}% ${target.y > clientY ? 0 : 100}%`);
    if (label.dataset.shown === undefined || isCalm()) {
      frame.stop(animate);
      position = target;
      moveLabel();
      label.dataset.shown = '';
    } else frame.play('follow', animate);
  };
  document.addEventListener('pointermove', onMove, { signal, passive: true });
  document.documentElement.addEventListener('pointerleave', hideLabel, { signal });
  if (movement) onMove(movement);
  return () => {
    controller.abort();
    frame.stop(animate);
  };
}

/** Position of the label on one axis: after the pointer, or before it if the window has no room. */
const labelPosition = (pointer: number, size: number, windowSize: number): number =>
  pointer + OFFSET_PX + size <= windowSize ? pointer + OFFSET_PX : Math.max(0, pointer - OFFSET_PX - size);
