import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type CanvasMark, markNameMaxLength, markNoteMaxLength } from '../../../../contract/canvas-version.ts';
import type { Command } from '../../../model/commands.ts';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import styles from './versions.module.css';

type MarkFormProps = {
  /** Null for the canvas as it is. */
  version: number | null;
  mark: CanvasMark | null;
  onDone: () => void;
  onChanged: () => void;
};

/** Names a version, renames it, or removes its name. Escape leaves it as it is. */
export function MarkForm({ version, mark, onDone, onChanged }: MarkFormProps) {
  const { t } = useTranslation('versions');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(mark?.kind === 'hand' ? mark.name : '');
  const [note, setNote] = useState(mark?.note ?? '');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const send = async (command: Command) => {
    setBusy(true);
    const outcome = await dispatch(command);
    setBusy(false);
    setProblem(outcome.ok ? null : outcome.error);
    if (!outcome.ok) return;
    onChanged();
    onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && !busy) void send({ type: 'version.mark', version, name: name.trim(), note: note.trim() });
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
      <TextField
        ref={field}
        label={t('name')}
        value={name}
        maxLength={markNameMaxLength}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea label={t('note')} rows={2} value={note} maxLength={markNoteMaxLength} onChange={(event) => setNote(event.target.value)} />
      {problem && (
        <p className={styles.refused} role="alert">
          {problemText(problem)}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" size="s" variant="primary" busy={busy} disabled={name.trim() === ''}>
          {t('save')}
        </Button>
        <Button size="s" onClick={onDone}>
          {t('cancel')}
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
