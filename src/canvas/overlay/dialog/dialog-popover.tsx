import { Popover } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import styles from './dialog-form.module.css';

/** Where a popup of a card lies when its side has no room: over the card, as on a phone. */
const besideCard = { side: 'shift', align: 'shift' } as const;

type DialogPopoverProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that opens it. */
  trigger: ReactElement;
  disabled?: boolean;
  title: string;
  /** Whether the first control gets the focus. */
  focusesFirst?: boolean;
  children: ReactNode;
};

/** A popover of a dialog's form, beside its card. */
export function DialogPopover({ open, onOpenChange, trigger, disabled, title, focusesFirst = true, children }: DialogPopoverProps) {
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger disabled={disabled ?? false} render={trigger} />
      <Popover.Portal>
        <Popover.Positioner
          className={styles.positioner}
          side="right"
          align="start"
          sideOffset={12}
          collisionPadding={12}
          collisionAvoidance={besideCard}
        >
          <Popover.Popup className={styles.popup} initialFocus={focusesFirst}>
            <Popover.Title className={styles.popupTitle}>{title}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
