import { Popover } from '@base-ui/react/popover';
import type { Problem } from '../../model/problem.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useProblemText } from '../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './dialog/dialog-form.module.css';

type SettingsFootProps = { problem: Problem | null; isComplete: boolean };

/** The end of a form in a popup of the canvas: why it was refused, and its buttons. */
export function SettingsFoot({ problem, isComplete }: SettingsFootProps) {
  const { t } = useTranslation('canvas');
  const problemText = useProblemText();
  return (
    <>
      {problem && (
        <p className={styles.formProblem} role="alert">
          {problemText(problem)}
        </p>
      )}
      <div className={styles.formActions}>
        {/* A popup keeps the focus only if a part of it closes it. */}
        <Popover.Close render={<Button variant="ghost" size="s" />}>{t('dialog.cancel')}</Popover.Close>
        <Button variant="primary" size="s" type="submit" disabled={!isComplete}>
          {t('dialog.save')}
        </Button>
      </div>
    </>
  );
}
