import { useState } from 'react';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Link2 } from '../../../ui/icons/icons.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import { CopyButton } from '../marks/copy-button.tsx';
import styles from './questions.module.css';

/** Makes the link with which a person without an account answers the question. A new link ends the one before. */
export function QuestionLinkButton({ questionId }: { questionId: string }) {
  const { t } = useTranslation('questions');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const [made, setMade] = useState<{ link: string | null; problem: Problem | null }>({ link: null, problem: null });
  const make = async () => {
    const outcome = await dispatch({ type: 'question.createLink', id: questionId });
    if (!outcome.ok) setMade({ link: null, problem: outcome.error });
    else if (outcome.value?.linkPath) setMade({ link: `${location.origin}${outcome.value.linkPath}`, problem: null });
  };
  return (
    <div className={styles.link}>
      {made.link === null ? (
        <Button size="s" variant="ghost" icon={<Link2 size={15} aria-hidden />} onClick={() => void make()}>
          {t('makeLink')}
        </Button>
      ) : (
        <TextField
          label={t('link')}
          hint={t('linkHint')}
          readOnly
          value={made.link}
          onFocus={(event) => event.target.select()}
          trail={<CopyButton text={made.link} label={t('copyLink')} done={t('copied')} />}
        />
      )}
      {made.problem && (
        <p role="alert" className={styles.problem}>
          {problemText(made.problem)}
        </p>
      )}
    </div>
  );
}
