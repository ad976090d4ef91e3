import styles from './kbd.module.css';

/** A keyboard shortcut as it is shown: `Ctrl Z`. */
export function Kbd({ keys }: { keys: string }) {
  return <kbd className={styles.kbd}>{keys}</kbd>;
}
