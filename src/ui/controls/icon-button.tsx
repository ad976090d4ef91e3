import type { ComponentProps, ReactNode } from 'react';
import styles from './icon-button.module.css';
import { Tooltip, type TooltipSide } from './tooltip.tsx';

export type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** What the button does; read out and shown as its tooltip. */
  label: string;
  icon: ReactNode;
  /** A shortcut as shown to people, such as `Ctrl Z`. */
  shortcut?: string | undefined;
  /** Side in px: 32 in bars, 24 inside rows, 40 on phones. */
  size?: 24 | 28 | 32 | 36 | 40;
  /** For a button that stays down. */
  pressed?: boolean | undefined;
  tone?: 'plain' | 'bordered' | 'danger';
  tooltipSide?: TooltipSide;
};

/** A square button with an icon, a name and a tooltip. */
export function IconButton({
  label,
  icon,
  shortcut,
  size = 32,
  pressed,
  tone = 'plain',
  tooltipSide,
  className,
  style,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip label={label} shortcut={shortcut} side={tooltipSide}>
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
    </Tooltip>
  );
}
