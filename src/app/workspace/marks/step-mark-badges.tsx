import type { StepMark } from '../../../../contract/executions/step-mark.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { TriangleAlert } from '../../../ui/icons/icons.ts';
import styles from './step-mark-sign.module.css';

/** Says what a result lacks, wherever it is shown: that it is cut off, or that no file was written. */
export function StepMarkBadges({ marks = [] }: { marks?: readonly StepMark[] | undefined }) {
  const { t } = useTranslation('canvas');
  return marks.map((mark) => (
    <Badge key={mark} tone="warning" icon={<TriangleAlert size={12} aria-hidden />} title={t(`stepMarkHint.${mark}`)}>
      {t(`stepMark.${mark}`)}
    </Badge>
  ));
}

/** The same as a sign, where there is no room for words. */
export function StepMarkSign({ marks = [] }: { marks?: readonly StepMark[] | undefined }) {
  const { t } = useTranslation('canvas');
  if (marks.length === 0) return null;
  const words = marks.map((mark) => t(`stepMark.${mark}`)).join(', ');
  return (
    <i className={styles.sign} title={words}>
      <TriangleAlert size={15} aria-hidden />
      <span className="visually-hidden">{words}</span>
    </i>
  );
}
