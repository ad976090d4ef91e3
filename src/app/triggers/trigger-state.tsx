import type { Trigger } from '../../../contract/trigger.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { CirclePause } from '../../ui/icons/icons.ts';
import styles from './triggers.module.css';
import type { Triggers } from './use-triggers.ts';

/** Why a trigger is off, with the way back; and failures that may pause it. */
export function TriggerState({ trigger, triggers }: { trigger: Trigger; triggers: Triggers }) {
  const { t } = useTranslation('triggers');
  const momentText = useMomentText();
  const { isBusy } = triggers;
  const { id, name, pausedAt, pausedReason, failures, team } = trigger;
  if (pausedAt === null) return failures > 0 ? <p className={styles.warning}>{t('paused.failing', { count: failures })}</p> : null;
  const at = momentText(pausedAt);
  return (
    <div className={styles.paused} data-reason={pausedReason}>
      <CirclePause size={18} aria-hidden />
      <p>{t(`paused.${pausedReason ?? 'owner'}`, { at })}</p>
      {team !== null && (
        <Button
          size="s"
          busy={isBusy}
          aria-label={t('paused.switchOnOf', { name })}
          onClick={() => void triggers.change(id, { isOn: true })}
        >
          {t('paused.switchOn')}
        </Button>
      )}
    </div>
  );
}
