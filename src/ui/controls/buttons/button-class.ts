import styles from './button.module.css';

export type ButtonLook = {
  /** One `primary` in a view. */
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | undefined;
  /** 28, 32, 36, 40, 44 and 48 px high. */
  size?: 'xs' | 's' | 'm' | 'l' | 'xl' | 'xxl' | undefined;
  /** As wide as its container. */
  wide?: boolean | undefined;
};

/** The classes of a button, for buttons and for links that look like one. */
export function buttonClass({ variant = 'secondary', size = 'm', wide = false }: ButtonLook, extra?: string): string {
  return [styles.button, styles[variant], styles[size], wide && styles.wide, extra].filter(Boolean).join(' ');
}
