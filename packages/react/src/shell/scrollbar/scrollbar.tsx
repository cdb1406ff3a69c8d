import { useEngines } from '@pillion/motion/hooks/use-engines.ts';
import { POINTER, whileMatching } from '@pillion/motion/scroll/while-matching.ts';
import { useEffect, useRef, useState } from 'react';
import styles from './scrollbar.module.css';

/**
 * Delay before the bar is removed if its code cannot be loaded, in milliseconds. When a link is followed, Firefox
 * aborts pending fetches at once but keeps the page until the next document arrives. The layout must not move then,
 * because Back restores the position.
 */
const GONE_MS = 5_000;

/**
 * R11. A scrollbar that is also accessible, last in the page's Tab order. Inert until its code is loaded and the hero
 * can play. If the code cannot be loaded, the native scrollbar comes back.
 * @param label Its accessible name: the page's title.
 */
export function Scrollbar({ label }: { label: string }) {
  const bar = useRef<HTMLDivElement>(null);
  const [isGone, setGone] = useState(false);
  const { stage, scroll } = useEngines('Scrollbar');
  useEffect(() => {
    const watch = new AbortController();
    whileMatching(POINTER, watch.signal, (during) => {
      import('@pillion/motion/scroll/scrollbar.ts').then(
        ({ attachScrollbar }) =>
          stage.whenPlaying(() => {
            if (bar.current && !during.aborted) attachScrollbar(bar.current, scroll, during);
          }),
        () => setTimeout(() => setGone(true), GONE_MS),
      );
    });
    return () => watch.abort();
  }, [stage, scroll]);
  if (isGone) return null;
  return (
    <div
      ref={bar}
      className={styles.bar}
      data-scrollbar
      role="scrollbar"
      tabIndex={0}
      aria-label={label}
      aria-controls="main"
      aria-orientation="vertical"
      aria-valuenow={0}
      aria-valuemin={0}
      aria-valuemax={100}
      inert
    >
      <div data-scrollbar-thumb />
    </div>
  );
}
