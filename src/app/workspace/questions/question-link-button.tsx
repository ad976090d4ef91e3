import { useState } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Link2 } from '../../../ui/icons/icons.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { CopyButton } from '../marks/copy-button.tsx';
import styles from './questions.module.css';

/** Makes the link with which a person without an account answers the question. A new link ends the one before. */
export function QuestionLinkButton({ questionId }: { questionId: string }) {
  const { t, language } = useTranslation('questions');
  const [link, setLink] = useState<string | null>(null);
  const { call, problem } = useMutation();
  const make = async () => {
    const made = await call('question.createLink', { params: { id: questionId } });
    if (made) setLink(`${location.origin}${made.value.path}?lang=${language}`);
  };
  return (
    <div className={styles.link}>
      {link === null ? (
        <Button size="s" variant="ghost" icon={<Link2 size={15} aria-hidden />} onClick={() => void make()}>
          {t('makeLink')}
        </Button>
      ) : (
        <TextField
          label={t('link')}
          hint={t('linkHint')}
          readOnly
          value={link}
          onFocus={(event) => event.target.select()}
          trail={<CopyButton text={link} label={t('words:copyLink')} done={t('common:copied')} />}
        />
      )}
      <ProblemNote problem={problem} className={styles.problem} />
    </div>
  );
}
