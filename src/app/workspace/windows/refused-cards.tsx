import { useRef } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { usePanels } from '../frame/panels.tsx';
import styles from './refused-cards.module.css';

/** Lists the problems of refused cards; closed while there is none. */
export function RefusedCards() {
  const { t } = useTranslation('workspace');
  const { panels, show } = usePanels();
  const problem = panels.window?.kind === 'refused' ? panels.window.problem : null;
  const onClose = () => show({ window: null });
  const problemText = useProblemText();
  const close = useRef<HTMLButtonElement>(null);
  // The text stays while the window fades out.
  const last = useRef(problem);
  if (problem) last.current = problem;
  const shown = last.current;
  return (
    <Modal
      open={problem !== null}
      onClose={onClose}
      size="m"
      title={t('refused.title')}
      description={shown && problemText(shown)}
      initialFocus={close}
      footer={
        <Button ref={close} variant="primary" onClick={onClose}>
          {t('refused.close')}
        </Button>
      }
    >
      <ul className={styles.list} data-testid="refused-cards">
        {shown?.details?.map((detail, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
          <li key={at}>{problemText(detail)}</li>
        ))}
      </ul>
    </Modal>
  );
}
