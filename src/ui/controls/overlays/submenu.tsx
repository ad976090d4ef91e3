import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { ChevronRight } from '../../icons/icons.ts';
import styles from './menu.module.css';

type Props = { icon?: ReactNode; label: string; disabled?: boolean; children: ReactNode };

/** An item of a menu that opens more items beside it. */
export function Submenu({ icon, label, disabled = false, children }: Props) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={styles.item} disabled={disabled}>
        {icon && <span className={styles.sign}>{icon}</span>}
        <span className={styles.words}>{label}</span>
        <ChevronRight size={16} strokeWidth={1.75} aria-hidden />
      </Base.SubmenuTrigger>
      <Base.Portal>
        <Base.Positioner
          sideOffset={2}
          alignOffset={-5}
          collisionPadding={8}
          collisionAvoidance={{ fallbackAxisSide: 'end' }}
          sticky
          className={styles.positioner}
        >
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}
