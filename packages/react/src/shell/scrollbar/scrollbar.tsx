import { useEngines } from '@pillion/motion/hooks/use-engines.ts';
import { POINTER, whileMatching } from '@pillion/motion/scroll/while-matching.ts';
import { useEffect, useRef, useState } from 'react';
import styles from './scrollbar.module.css';

/**
 * Milliseconds until a bar goes whose code could not be had. When a link is pressed, Firefox gives up what it still fetches at
 * once, and is on the page until the next document comes: the page must not move there, Back leads to that place.
 */
const GONE_MS = 5_000;

/**
 * R11. A real scrollbar to assistive technology too, the last stop of the page's Tab order. Inert until its code has
 * come and the hero can play; where the code cannot be had it goes, and the browser's own comes back.
 * @param label What it scrolls: the page's title.
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
