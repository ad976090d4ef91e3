import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../buttons/button.tsx';
import { Modal } from './modal.tsx';

type ConfirmDialogProps = {
  open: boolean;
  title: string;
  children: ReactNode;
  /** The verb of the action, never "OK". */
  action: string;
  destructive?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks for confirmation of an action. Escape and a click on the overlay cancel it. */
export function ConfirmDialog({ open, title, children, action, destructive = false, onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation('common');
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            variant={destructive ? 'danger' : 'primary'}
            onClick={() => {
              onConfirm();
              onClose();
            }}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Modal>
  );
}
