import styles from './kicker.module.css';

/** The short line above a headline. The stylesheet numbers the sections. */
export function Kicker({ text }: { text: string }) {
  return text === '' ? null : (
    <p className={styles.kicker} data-reveal="rise">
      {text}
    </p>
  );
}
