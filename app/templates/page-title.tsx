import type { ReactNode } from 'react';
import styles from './page-title.module.css';

/** A page's title where no hero says it. */
export function PageTitle({ children }: { children: ReactNode }) {
  return (
    <header className={styles.head}>
      <h1 className={styles.title}>{children}</h1>
    </header>
  );
}
