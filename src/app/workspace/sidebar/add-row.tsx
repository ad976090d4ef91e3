import { Plus } from '../../../ui/icons/icons.ts';
import styles from './sidebar.module.css';

/** The last row of a section: adds a new item. W2.10 */
export function AddRow({ title, onAdd }: { title: string; onAdd: () => void }) {
  return (
    <li className={styles.item}>
      <button type="button" className={`${styles.row} ${styles.add}`} onClick={onAdd}>
        <span className={styles.tile}>
          <Plus size={14} aria-hidden />
        </span>
        <span className={styles.words}>{title}</span>
      </button>
    </li>
  );
}
