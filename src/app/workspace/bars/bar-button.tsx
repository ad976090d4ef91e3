import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Tooltip } from '../../../ui/controls/overlays/tooltip.tsx';
import styles from './bars.module.css';

type BarButtonProps = {
  icon: ReactNode;
  /** What the tooltip says of it. */
  about: string;
  shortcut: string;
  /** For a button that stays down. */
  pressed?: boolean;
  onClick: () => void;
  /** How much waits behind it; nothing is shown for 0. */
  count?: number;
  /** Its word, which is its name. */
  children: ReactNode;
};

/** A button of the top bar: an icon and a word; in a narrow bar the word is only read out. */
export function BarButton({ icon, about, shortcut, pressed, count = 0, onClick, children }: BarButtonProps) {
  return (
    <Tooltip label={about} shortcut={shortcut}>
      <Button variant="ghost" size="s" className={styles.word} icon={icon} aria-pressed={pressed} onClick={onClick}>
        <span className={styles.said}>{children}</span>
        {count > 0 && <strong className={styles.count}>{count > 99 ? '99+' : count}</strong>}
      </Button>
    </Tooltip>
  );
}
