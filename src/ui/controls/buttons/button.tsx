import type { ComponentProps, ReactNode } from 'react';
import { Spinner } from '../spinner.tsx';
import styles from './button.module.css';
import { type ButtonLook, buttonClass } from './button-class.ts';

export type ButtonProps = ComponentProps<'button'> &
  ButtonLook & {
    icon?: ReactNode;
    /** Shows a spinner instead of the icon and refuses clicks, but keeps the focus. */
    busy?: boolean;
  };

export function Button({ variant, size, wide, icon, busy = false, className, children, type = 'button', onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size, wide }, className)}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <Spinner size={16} /> : icon}
      {children !== undefined && <span className={styles.label}>{children}</span>}
    </button>
  );
}
