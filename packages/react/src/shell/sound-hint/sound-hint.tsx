import type { FrameLoop } from '@pillion/motion/frame/frame.ts';
import { useEngines } from '@pillion/motion/hooks/use-engines.ts';
import { useMixer } from '@pillion/motion/hooks/use-mixer.ts';
import { useHeroCanPlay } from '@pillion/motion/hooks/use-stage.ts';
import { useEffect, useRef, useState } from 'react';
import { addStyles } from '../../ui/add-styles.ts';
import look from './sound-hint.css?url';

/** Duration of the fade-out after the click, in milliseconds (R36). */
const EXIT_MS = 500;

/** Used until the stylesheet is loaded. */
const UNSEEN = { display: 'none', opacity: 0 };

/**
 * Follows the pointer while a click would start the music (R10): not on a touch screen, not without music, not after
 * the visitor has muted it. Hidden from assistive technology, because the toggle has the same information.
 */
export function SoundHint({ label }: { label: string }) {
  const { frame } = useEngines('SoundHint');
  const { state } = useMixer();
  const heroCanPlay = useHeroCanPlay();
  const isMeant = heroCanPlay && state.name === 'waiting';
  const [isThere, setThere] = useState(false);
  if (isMeant && !isThere) setThere(true);
  const hint = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hint.current) return;
    if (isMeant) return followOnceMoved(hint.current, frame);
    hint.current.dataset.leaving = '';
    const exit = hint.current.animate({ opacity: 0 }, { duration: EXIT_MS, fill: 'forwards' });
    exit.onfinish = () => setThere(false);
    return () => exit.cancel();
  }, [isMeant, frame]);
  if (!isThere) return null;
  return (
    <div ref={hint} className="sound-hint" style={UNSEEN} data-sound-hint aria-hidden="true">
      {label}
    </div>
  );
}

/** Fetches styles and code at the first pointer movement. @returns A function that stops this. */
function followOnceMoved(hint: HTMLElement, frame: FrameLoop): () => void {
  const waiting = new AbortController();
  let latest: PointerEvent | undefined;
  let isOver = false;
  let unfollow = () => {};
  const fetchAndFollow = async () => {
    const [{ followPointer }] = await Promise.all([import('@pillion/motion/sound/follow-pointer.ts'), addStyles(look)]);
    if (isOver) return;
    hint.style.cssText = '';
    unfollow = followPointer(hint, frame, latest);
  };
  const onMove = (event: PointerEvent) => {
    if (event.pointerType === 'touch') return;
    const isFirst = latest === undefined;
    latest = event;
    if (!isFirst) return;
    // If the chunk cannot be loaded, there is no hint.
    fetchAndFollow()
      .catch(() => {})
      .finally(() => waiting.abort());
  };
  document.addEventListener('pointermove', onMove, { signal: waiting.signal });
  return () => {
    isOver = true;
    waiting.abort();
    unfollow();
  };
}
