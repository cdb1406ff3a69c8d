import type { FrameLoop } from '@pillion/motion/frame/frame.ts';
import { useEngines } from '@pillion/motion/hooks/use-engines.ts';
import { useMixer } from '@pillion/motion/hooks/use-mixer.ts';
import { useHeroCanPlay } from '@pillion/motion/hooks/use-stage.ts';
import { useEffect, useRef, useState } from 'react';
import { addStyles } from '../../ui/add-styles.ts';
import styles from './sound-hint.css?url';

/** Duration of the fade-out after the click, in milliseconds (R36). */
const EXIT_MS = 500;

/** Used until the stylesheet is loaded. */
const HIDDEN_STYLE = { display: 'none', opacity: 0 };

/**
 * Follows the pointer while a click would start the music (R10): not on a touch screen, not without music, not after
 * the visitor has muted it. Hidden from assistive technology, because the toggle has the same information.
 */
export function SoundHint({ label }: { label: string }) {
  const { frame } = useEngines('SoundHint');
  const { state } = useMixer();
  const heroCanPlay = useHeroCanPlay();
  const isUseful = heroCanPlay && state.name === 'waiting';
  const [isRendered, setRendered] = useState(false);
  if (isUseful && !isRendered) setRendered(true);
  const hint = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hint.current) return;
    if (isUseful) return followOnceMoved(hint.current, frame);
    hint.current.dataset.leaving = '';
    const exit = hint.current.animate({ opacity: 0 }, { duration: EXIT_MS, fill: 'forwards' });
    exit.onfinish = () => setRendered(false);
    return () => exit.cancel();
  }, [isUseful, frame]);
  if (!isRendered) return null;
  return (
    <div ref={hint} className="sound-hint" style={HIDDEN_STYLE} data-sound-hint aria-hidden="true">
      {label}
    </div>
  );
}

/** Fetches styles and code at the first pointer movement. @returns A function that stops this. */
function followOnceMoved(hint: HTMLElement, frame: FrameLoop): () => void {
  const controller = new AbortController();
  let latest: PointerEvent | undefined;
  let isStopped = false;
  let stopFollowing = () => {};
  const startFollowing = async () => {
    const [{ followPointer }] = await Promise.all([
      import('@pillion/motion/sound/follow-pointer.ts'),
      addStyles(styles),
    ]);
    if (isStopped) return;
    hint.style.cssText = '';
    stopFollowing = followPointer(hint, frame, latest);
  };
  const onMove = (event: PointerEvent) => {
    if (event.pointerType === 'touch') return;
    const isFirst = latest === undefined;
    latest = event;
    if (!isFirst) return;
    // If the chunk cannot be loaded, there is no hint.
    startFollowing()
      .catch(() => {})
      .finally(() => controller.abort());
  };
  document.addEventListener('pointermove', onMove, { signal: controller.signal });
  return () => {
    isStopped = true;
    controller.abort();
    stopFollowing();
  };
}
