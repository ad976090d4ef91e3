import { Popover } from '@base-ui/react/popover';
import type { Problem } from '../../model/problem.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { ProblemNote } from '../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './dialog/dialog-form.module.css';

type SettingsFootProps = { problem: Problem | null; isComplete: boolean };

/** The end of a form in a popup of the canvas: why it was refused, and its buttons. */
export function SettingsFoot({ problem, isComplete }: SettingsFootProps) {
  const { t } = useTranslation('canvas');
  return (
    <>
      <ProblemNote problem={problem} className={styles.formProblem} />
      <div className={styles.formActions}>
        {/* A popup keeps the focus only if a part of it closes it. */}
        <Popover.Close render={<Button variant="ghost" size="s" />}>{t('common:cancel')}</Popover.Close>
        <Button variant="primary" size="s" type="submit" disabled={!isComplete}>
          {t('words:save')}
        </Button>
      </div>
    </>
  );
}
