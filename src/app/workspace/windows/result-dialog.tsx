import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { CopyButton } from '../marks/copy-button.tsx';
import { SimulatedBadge } from '../marks/simulated-badge.tsx';
import styles from './result-dialog.module.css';

export type ResultDialogProps = { open: boolean; title: string; text: string; simulated: boolean; onClose: () => void };

/** The whole result of a run, to be read or taken away. */
export function ResultDialog({ open, title, text, simulated, onClose }: ResultDialogProps) {
  const { t } = useTranslation('workspace');
  return (
    <Modal
      open={open}
      onClose={onClose}
      size="l"
      title={t('history.resultOf')}
      description={<span className={styles.task}>{title}</span>}
      footer={
        <>
          <span className={styles.left}>
            <CopyButton text={text} label={t('history.copy')} done={t('history.copied')} />
            {simulated && <SimulatedBadge />}
          </span>
          <Button onClick={onClose}>{t('history.closeResult')}</Button>
        </>
      }
    >
      <LazyMarkdown text={text} />
    </Modal>
  );
}
