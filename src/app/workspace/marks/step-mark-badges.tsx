import type { StepMark } from '../../../../contract/executions/execution.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { TriangleAlert } from '../../../ui/icons/icons.ts';

/** Says what a result lacks, wherever it is shown: that it is cut off, or that no file was written. */
export function StepMarkBadges({ marks = [] }: { marks?: readonly StepMark[] | undefined }) {
  const { t } = useTranslation('canvas');
  return marks.map((mark) => (
    <Badge key={mark} tone="warning" icon={<TriangleAlert size={12} aria-hidden />} title={t(`stepMarkHint.${mark}`)}>
      {t(`stepMark.${mark}`)}
    </Badge>
  ));
}
