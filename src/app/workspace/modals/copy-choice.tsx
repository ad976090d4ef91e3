import { Button } from '../../../ui/controls/buttons/button.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CopyPlus } from '../../../ui/icons/icons.ts';
import { useSend } from '../frame/use-send.ts';
import { usePlace } from '../sidebar/use-place.ts';
import styles from './plan-modal.module.css';

/** The first choice where every agent of a role is on the canvas: a copy of it, which is placed at once. */
export function CopyChoice({ agentId, title, onCopied }: { agentId: string; title: string; onCopied: () => void }) {
  const { t } = useTranslation('modals');
  const place = usePlace();
  const { send, isBusy, problem } = useSend((made) => {
    onCopied();
    if (made?.agentId) place({ kind: 'agent', agentId: made.agentId });
  });
  return (
    <div className={styles.copy}>
      <p>{t('buyAgent.copyText', { title })}</p>
      <Button
        variant="primary"
        icon={<CopyPlus size={15} aria-hidden />}
        busy={isBusy}
        onClick={() => void send({ type: 'agent.duplicate', agentId })}
      >
        {t('buyAgent.copy')}
      </Button>
      <ProblemNote problem={problem} />
    </div>
  );
}
