import { Brand } from '../../ui/brand.tsx';
import type { SectionProps } from '../../ui/section-props.ts';
import styles from './view.module.css';

/** The brand's mark across the page. Hidden from assistive technology, since the header already names the brand. */
export default function Wordmark({ shell }: SectionProps<'wordmark'>) {
  return (
    <div className={styles.wordmark}>
      <Brand strings={shell.strings} />
    </div>
  );
}
