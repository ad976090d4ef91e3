import styles from './kbd.module.css';

/** A shortcut as shown to people: `Ctrl Z`. */
export function Kbd({ keys }: { keys: string }) {
  return <kbd className={styles.kbd}>{keys}</kbd>;
}
