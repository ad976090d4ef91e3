import type { ComponentProps, ReactNode } from 'react';
import styles from './icon-button.module.css';

export type BareIconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** The button's action; read by screen readers. */
  label: string;
  icon: ReactNode;
  /** Side in px: 32 in bars, 24 inside rows, 40 on phones. */
  size?: 24 | 28 | 32 | 36 | 40;
  /** For a button that stays down. */
  pressed?: boolean | undefined;
  tone?: 'plain' | 'bordered' | 'danger';
};

/** A square button with an icon and a name, without a tooltip: for pages that are to stay light. */
export function BareIconButton({ label, icon, size = 32, pressed, tone = 'plain', className, style, ...rest }: BareIconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={pressed}
      {...rest}
      className={[styles.button, styles[tone], className].filter(Boolean).join(' ')}
      style={{ width: size, height: size, ...style }}
    >
      {icon}
    </button>
  );
}
