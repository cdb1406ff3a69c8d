import type { InlineText, TextRun } from '@pillion/content/types.ts';
import { each } from './each.tsx';
import styles from './inline.module.css';

function Run({ text, mark: Mark }: TextRun) {
  if (Mark === 'muted') return <span className={styles.muted}>{text}</span>;
  return Mark ? <Mark>{text}</Mark> : text;
}

/** Renders inline text. The parent's style keeps the editor's line breaks. */
export const Inline = ({ text }: { text: InlineText }) => each(text, (run) => <Run {...run} />);
