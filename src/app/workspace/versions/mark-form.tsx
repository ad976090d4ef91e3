import { z } from 'zod';
import { type CanvasMark, markNameMaxLength, markNoteMaxLength } from '../../../../contract/canvas-version.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { FormText, FormTextArea } from '../../../ui/form/form-fields.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useSend } from '../frame/use-send.ts';
import styles from './versions.module.css';

const named = z.object({ name: z.string().trim().min(1), note: z.string().trim() });

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
  const form = useZodForm(named, { name: mark?.kind === 'hand' ? mark.name : '', note: mark?.note ?? '' });
  const { send, isBusy, problem } = useSend(() => {
    onChanged();
    onDone();
  });
  const submit = (words: z.output<typeof named>) =>
    send(isTeam ? { type: 'version.saveTeam', ...words } : { type: 'version.mark', version, ...words });
  return (
    <div className={styles.form}>
      {isTeam && <p className={styles.text}>{t('team.saveHint')}</p>}
      <Form
        {...{ form, problem, isBusy, size: 's', onCancel: onDone, onEscape: onDone }}
        onSubmit={submit}
        submit={t('words:save')}
        isDisabled={form.watch('name').trim() === ''}
        more={
          mark &&
          version !== null && (
            <Button size="s" variant="ghost" onClick={() => void send({ type: 'version.unmark', version })}>
              {t('unmark')}
            </Button>
          )
        }
      >
        <FormText {...{ form, name: 'name', maxLength: markNameMaxLength, autoFocus: true }} label={t('words:givenName')} />
        <FormTextArea {...{ form, name: 'note', maxLength: markNoteMaxLength, rows: 2 }} label={t('words:note')} />
      </Form>
    </div>
  );
}
