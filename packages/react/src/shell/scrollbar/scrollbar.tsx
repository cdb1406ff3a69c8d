import styles from './scrollbar.module.css';

/**
 * R11. A scrollbar that is also accessible, last in the page's Tab order. Inert until attach-bar.ts has loaded its code
 * and the hero can play. If the code cannot be loaded, the native scrollbar comes back.
 * @param label Its accessible name: the page's title.
 */
export const Scrollbar = ({ label }: { label: string }) => (
  <div
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
