import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { Kbd } from '../kbd.tsx';
import styles from './tooltip.module.css';

export type TooltipSide = 'top' | 'bottom' | 'left' | 'right' | undefined;

type TooltipProps = {
  label: string;
  /** A shortcut in its shown form, such as `Ctrl Z`. */
  shortcut?: string | undefined;
  side?: TooltipSide;
  /** One focusable element; it keeps its own name. */
  children: ReactElement<Record<string, unknown>>;
};

/** Names a control on hover and on focus, with its shortcut. */
export function Tooltip({ label, shortcut, side = 'bottom', children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {label}
            {shortcut && <Kbd keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Lets one tooltip follow another without a delay. Used once, around the app. */
export const TooltipProvider = Base.Provider;
