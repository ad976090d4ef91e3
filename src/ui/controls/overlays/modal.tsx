import { Dialog } from '@base-ui/react/dialog';
import { AnimatePresence } from 'framer-motion';
import { type ReactNode, type RefObject, use, useEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { X } from '../../icons/icons.ts';
import { MotionScope } from '../../motion/motion-scope.tsx';
import { dialog, fade } from '../../motion/transitions.ts';
import { HelpContext } from './help-context.ts';
import styles from './modal.module.css';
import { MovingBox } from './moving-box.tsx';

type ModalProps = {
  open: boolean;
  /** Called on Escape, on a click on the overlay and by the close button. */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** Above the title. */
  mark?: ReactNode;
  /** Below the content, outside of the scrolling part. */
  footer?: ReactNode;
  /** Widths of 440, 560, 760 and 1040 px. */
  size?: 's' | 'm' | 'l' | 'xl';
  /** The element that gets the focus on opening, instead of the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
};

/** A dialog over the page: the focus stays in it and returns to its former element. */
export function Modal({ open, onClose, title, description, mark, footer, size = 's', initialFocus, children }: ModalProps) {
  const { t } = useTranslation('common');
  const help = use(HelpContext);
  const popup = useRef<HTMLDivElement>(null);
  useFocusAtClose(open, popup);
  return (
    <MotionScope>
      <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
        <AnimatePresence>
          {open && (
            <Dialog.Portal keepMounted>
              <Dialog.Backdrop className={styles.backdrop} render={<MovingBox variants={fade} />} />
              <Dialog.Viewport className={styles.viewport}>
                <Dialog.Popup
                  ref={popup}
                  data-window
                  className={`${styles.popup} ${styles[size]}`}
                  initialFocus={initialFocus}
                  finalFocus={() => !isInAnother(popup.current) && focusOutside()}
                  render={<MovingBox variants={dialog} />}
                >
                  <header className={styles.head}>
                    {mark && <div className={styles.mark}>{mark}</div>}
                    <Dialog.Title className={styles.title}>{title}</Dialog.Title>
                    {description && <Dialog.Description className={styles.description}>{description}</Dialog.Description>}
                  </header>
                  <div className={styles.body}>
                    <HelpContext value={null}>{children}</HelpContext>
                  </div>
                  {footer && <footer className={styles.footer}>{footer}</footer>}
                  {help && (
                    <a className={styles.help} href={help.href} target="_blank" rel="noreferrer">
                      {help.word}
                    </a>
                  )}
                  <Dialog.Close className={styles.close} aria-label={t('close')}>
                    <X size={18} aria-hidden />
                  </Dialog.Close>
                </Dialog.Popup>
              </Dialog.Viewport>
            </Dialog.Portal>
          )}
        </AnimatePresence>
      </Dialog.Root>
    </MotionScope>
  );
}

/** What lies over the page: what has the focus there goes away with it. */
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

let last: WeakRef<HTMLElement> | null = null;

if (typeof document !== 'undefined')
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (target instanceof HTMLElement && !target.closest(overlays)) last = new WeakRef(target);
    },
    { capture: true },
  );

/** Whether the focus is in another window than `popup`, as in one that was opened while `popup` still fades. */
function isInAnother(popup: HTMLElement | null): boolean {
  const focused = document.activeElement?.closest(overlays) ?? popup;
  return focused !== popup;
}

/** Moves the focus out as soon as a dialog begins to close: a key that is pressed while it fades belongs to what is under it. */
function useFocusAtClose(isOpen: boolean, popup: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    const isLast = ![...document.querySelectorAll('[data-window]:not([data-closed])')].some((other) => other !== popup.current);
    if (wasOpen.current && !isOpen && isLast && popup.current?.contains(document.activeElement)) {
      const before = focusOutside();
      if (before !== true) before.focus({ preventScroll: true });
    }
    wasOpen.current = isOpen;
  }, [isOpen, popup]);
}

/**
 * Returns the element that gets the focus when a dialog closes: the one that had it outside of dialogs and menus. If it was removed
 * meanwhile, as the button of an answered question, the first part of the page that can have it. Returns true where there is none: the
 * dialog decides.
 */
function focusOutside(): HTMLElement | true {
  const before = last?.deref();
  if (before?.isConnected && !before.matches(':disabled')) return before;
  return document.querySelector<HTMLElement>('main [tabindex="0"]') ?? true;
}
