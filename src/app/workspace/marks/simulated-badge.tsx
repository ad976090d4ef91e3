import { Badge } from '../../../ui/controls/badge.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { FlaskRound } from '../../../ui/icons/icons.ts';

/** Marks every simulated text, so that it is never taken for a model's. R25.01 */
export function SimulatedBadge() {
  const { t } = useTranslation('console');
  return (
    <Badge tone="warning" icon={<FlaskRound size={12} aria-hidden />} title={t('simulatedHint')}>
      {t('words:simulated')}
    </Badge>
  );
}
