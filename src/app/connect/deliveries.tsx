import type { HookDelivery } from '../../../contract/hook.ts';
import { Badge, type BadgeProps } from '../../ui/controls/badge.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import styles from '../api-list/api-list.module.css';

const tones: Record<HookDelivery['status'], BadgeProps['tone']> = {
  delivered: 'success',
  pending: 'neutral',
  failed: 'danger',
  stopped: 'warning',
};

type DeliveriesProps = {
  /** Null while they load. */
  deliveries: readonly HookDelivery[] | null;
  /** The hook is off: nothing can be sent again. */
  isOff: boolean;
  isBusy: boolean;
  onResend: (id: string) => void;
};

/** The last deliveries of a hook with their outcomes. */
export function Deliveries({ deliveries, isOff, isBusy, onResend }: DeliveriesProps) {
  const { t } = useTranslation('connect');
  if (deliveries === null) return <Loading text={t('common:loading')} className={styles.note} />;
  if (deliveries.length === 0) return <p className={styles.note}>{t('delivery.none')}</p>;
  return (
    <ol className={styles.history} aria-label={t('hooks.deliveries')}>
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} mayResend={!isOff} isBusy={isBusy} onResend={() => onResend(delivery.id)} />
      ))}
    </ol>
  );
}

type DeliveryProps = { delivery: HookDelivery; mayResend: boolean; isBusy: boolean; onResend: () => void };

function Delivery({ delivery, mayResend, isBusy, onResend }: DeliveryProps) {
  const { t } = useTranslation('connect');
  const { event, createdAt, status, attempt, nextAt, problem, answerStatus } = delivery;
  const moment = useMomentText('second');
  const about = [
    moment(createdAt),
    ...(problem === null ? [] : [t(`problem.${problem}`, { status: answerStatus ?? '' })]),
    ...(attempt > 1 ? [t('delivery.tries', { count: attempt })] : []),
    ...(status === 'pending' && attempt > 0 && nextAt !== null ? [t('delivery.next', { at: moment(nextAt) })] : []),
  ];
  return (
    <li>
      <div>
        <strong>{t(`event.${event}`)}</strong> <Badge tone={tones[status]}>{t(`delivery.status.${status}`)}</Badge>
        <small>{about.join(' · ')}</small>
      </div>
      {mayResend && event !== 'test' && (
        <Button
          size="s"
          busy={isBusy}
          aria-label={t('delivery.resendOf', { event: t(`event.${event}`), at: moment(createdAt) })}
          onClick={onResend}
        >
          {t('delivery.resend')}
        </Button>
      )}
    </li>
  );
}
