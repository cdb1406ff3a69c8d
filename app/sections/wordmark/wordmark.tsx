import type { Strings } from '../../content/types.ts';
import { Brand } from '../../ui/brand.tsx';
import styles from './wordmark.module.css';

/** The brand's mark from edge to edge. The header names the brand already, so this one is silent. */
export function Wordmark({ strings }: { strings: Strings }) {
  return (
    <div className={styles.wordmark}>
      <Brand strings={strings} />
    </div>
  );
}
