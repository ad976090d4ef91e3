import { Badge } from '../../../ui/controls/badge.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { FlaskRound } from '../../../ui/icons/icons.ts';

/** Stands wherever a simulated text is shown, so that it never passes for a model's. R25.01 */
export function SimulatedBadge() {
  const { t } = useTranslation('console');
  return (
    <Badge tone="warning" icon={<FlaskRound size={12} aria-hidden />} title={t('simulatedHint')}>
      {t('simulated')}
    </Badge>
  );
}
