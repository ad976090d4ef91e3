import { type FormEvent, useState } from 'react';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Dispatch } from '../../../model/commands.ts';
import type { Problem } from '../../../model/problem.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Settings } from '../../../ui/icons/icons.ts';
import { SettingsFoot } from '../settings-foot.tsx';
import styles from './dialog-form.module.css';
import { DialogPopover } from './dialog-popover.tsx';

/** The trigger command of a dialog without one in its settings. */
const defaultTrigger = 'start_workflow';

type Props = { node: CanvasNode; dispatch: Dispatch; disabled: boolean };

/** The settings of a dialog: title, goal and trigger command. */
export function DialogSettings({ node, dispatch, disabled }: Props) {
  const { t } = useTranslation('canvas');
  const [open, setOpen] = useState(false);
  return (
    <DialogPopover
      open={open}
      onOpenChange={setOpen}
      disabled={disabled}
      title={t('dialog.settings')}
      trigger={
        <IconButton
          className={styles.gear}
          data-canvas-control
          data-quiet
          size={24}
          label={t('dialog.settings')}
          icon={<Settings size={15} aria-hidden />}
        />
      }
    >
      <SettingsForm node={node} dispatch={dispatch} onDone={() => setOpen(false)} />
    </DialogPopover>
  );
}

function SettingsForm({ node, dispatch, onDone }: { node: CanvasNode; dispatch: Dispatch; onDone: () => void }) {
  const { t } = useTranslation('canvas');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [title, setTitle] = useState(node.title);
  const [goal, setGoal] = useState(node.goal ?? '');
  const [trigger, setTrigger] = useState(node.triggerCommand ?? defaultTrigger);
  const isComplete = title.trim() !== '' && goal.trim() !== '';

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete) return;
    const outcome = await dispatch({
      type: 'node.update',
      id: node.id,
      changes: { title: title.trim(), goal: goal.trim(), triggerCommand: trigger.trim() || defaultTrigger },
    });
    if (outcome.ok) onDone();
    else setProblem(outcome.error);
  };

  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <TextField
        label={t('words:title')}
        maxLength={200}
        value={title}
        error={title.trim() ? undefined : t('words:fieldRequired')}
        onChange={(event) => setTitle(event.target.value)}
      />
      <TextArea
        label={t('dialog.goal')}
        maxLength={4_000}
        rows={3}
        value={goal}
        error={goal.trim() ? undefined : t('words:fieldRequired')}
        onChange={(event) => setGoal(event.target.value)}
      />
      <TextField
        label={t('dialog.trigger')}
        hint={t('dialog.triggerHint')}
        maxLength={200}
        spellCheck={false}
        value={trigger}
        onChange={(event) => setTrigger(event.target.value)}
      />
      <SettingsFoot problem={problem} isComplete={isComplete} />
    </form>
  );
}
