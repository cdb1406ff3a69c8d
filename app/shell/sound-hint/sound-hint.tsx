import { useEffect, useRef, useState } from 'react';
import type { FrameLoop } from '../../engines/frame/frame.ts';
import { useEngines } from '../../engines/hooks/use-engines.ts';
import { useMixer } from '../../engines/hooks/use-mixer.ts';
import { useHeroCanPlay } from '../../engines/hooks/use-stage.ts';
import { loadMotion } from '../../engines/load-motion.ts';
import styles from './sound-hint.module.css';

/** How long it takes to leave after the click it hinted at, in milliseconds (R36). */
const EXIT_MS = 500;

/**
 * Follows the pointer as long as a click anywhere would start the music (R10): not on a touch screen, not where there is
 * none, not for a visitor who has muted it. It says nothing that the toggle does not say, so assistive technology is
 * told nothing of it.
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
    if (isMeant) return followOnceLoaded(hint.current, frame);
    const exit = hint.current.animate({ opacity: 0 }, { duration: EXIT_MS, fill: 'forwards' });
    exit.onfinish = () => setThere(false);
    return () => exit.cancel();
  }, [isMeant, frame]);
  if (!isThere) return null;
  return (
    <div ref={hint} className={styles.hint} data-sound-hint aria-hidden="true">
      {label}
    </div>
  );
}

/** @returns Calls it off, loaded or not. */
function followOnceLoaded(hint: HTMLElement, frame: FrameLoop): () => void {
  let movement: PointerEvent | undefined;
  let stop = () => document.removeEventListener('pointermove', keep);
  let isOver = false;
  // A movement made before the chunk is there counts too.
  const keep = (event: PointerEvent) => {
    movement = event;
  };
  document.addEventListener('pointermove', keep);
  loadMotion().then(
    ({ followPointer }) => {
      stop();
      if (!isOver) stop = followPointer(hint, frame, movement);
    },
    // Without the chunk the page goes without the hint.
    () => {},
  );
  return () => {
    isOver = true;
    stop();
  };
}
