import { Brand } from '../../ui/brand.tsx';
import type { SectionProps } from '../../ui/section-props.ts';
import styles from './view.module.css';

/** The brand's mark from edge to edge. The header names the brand already, so this one is silent. */
export default function Wordmark({ shell }: SectionProps<'wordmark'>) {
  return (
    <div className={styles.wordmark}>
      <Brand strings={shell.strings} />
    </div>
  );
}
