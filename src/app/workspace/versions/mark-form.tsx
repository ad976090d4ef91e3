import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type CanvasMark, markNameMaxLength, markNoteMaxLength } from '../../../../contract/canvas-version.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useSend } from '../use-send.ts';
import styles from './versions.module.css';

type MarkFormProps = {
  /** Null for the canvas as it is. */
  version: number | null;
  mark: CanvasMark | null;
  /** The name is for the team as it is. */
  isTeam?: boolean;
  onDone: () => void;
  onChanged: () => void;
};

/** Names a version, renames it, or removes its name. Escape leaves it as it is. */
export function MarkForm({ version, mark, isTeam = false, onDone, onChanged }: MarkFormProps) {
  const { t } = useTranslation('versions');
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(mark?.kind === 'hand' ? mark.name : '');
  const [note, setNote] = useState(mark?.note ?? '');
  const { send, isBusy, problem } = useSend(() => {
    onChanged();
    onDone();
  });
  useEffect(() => {
    field.current?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || isBusy) return;
    const named = { name: name.trim(), note: note.trim() };
    void send(isTeam ? { type: 'version.saveTeam', ...named } : { type: 'version.mark', version, ...named });
  };
  return (
    <form
      className={styles.form}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone();
      }}
    >
      {isTeam && <p className={styles.text}>{t('team.saveHint')}</p>}
      <TextField
        ref={field}
        label={t('words:givenName')}
        value={name}
        maxLength={markNameMaxLength}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label={t('words:note')}
        rows={2}
        value={note}
        maxLength={markNoteMaxLength}
        onChange={(event) => setNote(event.target.value)}
      />
      <ProblemNote problem={problem} className={styles.refused} />
      <div className={styles.actions}>
        <Button type="submit" size="s" variant="primary" busy={isBusy} disabled={name.trim() === ''}>
          {t('words:save')}
        </Button>
        <Button size="s" onClick={onDone}>
          {t('common:cancel')}
        </Button>
        {mark && version !== null && (
          <Button size="s" variant="ghost" onClick={() => void send({ type: 'version.unmark', version })}>
            {t('unmark')}
          </Button>
        )}
      </div>
    </form>
  );
}
