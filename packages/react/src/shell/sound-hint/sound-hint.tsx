import type { FrameLoop } from '@pillion/motion/frame/frame.ts';
import { useEngines } from '@pillion/motion/hooks/use-engines.ts';
import { useMixer } from '@pillion/motion/hooks/use-mixer.ts';
import { useHeroCanPlay } from '@pillion/motion/hooks/use-stage.ts';
import { useEffect, useRef, useState } from 'react';
import { addStyles } from '../../ui/add-styles.ts';
import look from './sound-hint.css?url';

/** How long it takes to leave after the click it hinted at, in milliseconds (R36). */
const EXIT_MS = 500;

/** Until its sheet is there. */
const UNSEEN = { display: 'none', opacity: 0 };

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

/** Fetches what it looks like and how it moves at the pointer's first movement. @returns Calls it off, loaded or not. */
function followOnceMoved(hint: HTMLElement, frame: FrameLoop): () => void {
  let movement: PointerEvent | undefined;
  let stop = () => document.removeEventListener('pointermove', keep);
  let isOver = false;
  const keep = (event: PointerEvent) => {
    if (event.pointerType === 'touch') return;
    if (!movement)
      Promise.all([import('@pillion/motion/sound/follow-pointer.ts'), addStyles(look)]).then(
        ([{ followPointer }]) => {
          stop();
          if (isOver) return;
          hint.style.cssText = '';
          stop = followPointer(hint, frame, movement);
        },
        // Without the chunk the page goes without the hint.
        () => {},
      );
    movement = event;
  };
  document.addEventListener('pointermove', keep);
  return () => {
    isOver = true;
    stop();
  };
}
