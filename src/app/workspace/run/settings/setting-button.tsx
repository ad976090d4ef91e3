import type { ComponentProps, ReactNode } from 'react';
import styles from './run-settings.module.css';

type SettingButtonProps = ComponentProps<'button'> & {
  icon: ReactNode;
  /** Whether the setting is on. */
  isOn?: boolean;
  /** What is said at the end of the row. */
  aside?: string | null;
};

/** One setting of a run with its name. */
export function SettingButton({ icon, isOn = false, aside = null, children, ...rest }: SettingButtonProps) {
  return (
    <button type="button" className={styles.setting} data-on={isOn || undefined} {...rest}>
      {icon}
      <span>{children}</span>
      {aside !== null && (
        <span className={styles.aside} title={aside}>
          {aside}
        </span>
      )}
    </button>
  );
}
