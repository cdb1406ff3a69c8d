import styles from './kicker.module.css';

/** What a section is about, in two words, numbered by the stylesheet as the sections stand. */
export function Kicker({ text }: { text: string }) {
  return text === '' ? null : (
    <p className={styles.kicker} data-reveal="rise">
      {text}
    </p>
  );
}
