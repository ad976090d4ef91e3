import { Dialog } from '@base-ui/react/dialog';
import { Popover } from '@base-ui/react/popover';
import { AnimatePresence } from 'framer-motion';
import { type ReactElement, type ReactNode, useRef } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { MotionScope } from '../../motion/motion-scope.tsx';
import { fade, sheet as fromBelow } from '../../motion/transitions.ts';
import styles from './flyout.module.css';
import { MovingBox } from './moving-box.tsx';

type FlyoutProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  label: string;
  /** A sheet from the bottom instead of a panel under the button. */
  sheet: boolean;
  isWide?: boolean;
  children: ReactNode;
};

/** A panel with more than a list of actions below a button; on a phone a sheet from the bottom. */
export function Flyout({ open, onOpenChange, trigger, label, sheet, isWide = false, children }: FlyoutProps) {
  const { t } = useTranslation('common');
  const button = useRef<HTMLButtonElement>(null);
  if (sheet) {
    return (
      <Dialog.Root open={open} onOpenChange={onOpenChange}>
        <Dialog.Trigger render={trigger} />
        <MotionScope>
          <AnimatePresence>
            {open && (
              <Dialog.Portal keepMounted>
                <Dialog.Backdrop className={styles.backdrop} render={<MovingBox variants={fade} />} />
                <Dialog.Popup className={styles.sheet} aria-label={label} render={<MovingBox variants={fromBelow} />}>
                  {children}
                  {/* What lies outside a sheet cannot be reached by a screen reader. */}
                  <Dialog.Close className="visually-hidden">{t('close')}</Dialog.Close>
                </Dialog.Popup>
              </Dialog.Portal>
            )}
          </AnimatePresence>
        </MotionScope>
      </Dialog.Root>
    );
  }
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger ref={button} render={trigger} />
      <Popover.Portal>
        <Popover.Positioner
          anchor={() => besideItsBar(button.current)}
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={12}
          className={styles.positioner}
        >
          <Popover.Popup className={styles.popup} aria-label={label} data-wide={isWide || undefined} data-beside-canvas>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Where a panel stands: at its button, and clear of the bar that the button is in. */
function besideItsBar(button: HTMLElement | null) {
  const bar = button?.closest('[data-panel]');
  if (!button || !bar) return button;
  return {
    contextElement: button,
    getBoundingClientRect: () => {
      const [{ x, width }, { y, height }] = [button.getBoundingClientRect(), bar.getBoundingClientRect()];
      return new DOMRect(x, y, width, height);
    },
  };
}
