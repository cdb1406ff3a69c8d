import type { InlineText, TextRun } from '@pillion/content/types.ts';
import { each } from './each.tsx';
import styles from './inline.module.css';

function Run({ text, mark: Mark }: TextRun) {
  if (Mark === 'muted') return <span className={styles.muted}>{text}</span>;
  return Mark ? <Mark>{text}</Mark> : text;
}

/** A stretch of inline text as elements. Line breaks of the editor's are kept by the style of what it stands in. */
export const Inline = ({ text }: { text: InlineText }) => each(text, (run) => <Run {...run} />);
