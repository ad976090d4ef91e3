import { Plus } from '../../../ui/icons/icons.ts';
import styles from './sidebar.module.css';

/** The last line of a section: asks for something that the menu does not have yet. W2.10 */
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
