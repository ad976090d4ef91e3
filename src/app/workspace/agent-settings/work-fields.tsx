import { fileAccesses } from '../../../../contract/agent.ts';
import { stepRoom } from '../../../../contract/step-room.ts';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { Switch } from '../../../ui/controls/fields/switch.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import styles from './agent-settings.module.css';
import { ChangedMark } from './changed-mark.tsx';
import type { ModelFieldsProps } from './own-fields.tsx';

/** What an agent may do in a step: with files and tests, and for how many turns and calls. */
export function WorkFields({ draft, changes, problems, readOnly, change }: Omit<ModelFieldsProps, 'agent'>) {
  const { t, language } = useTranslation('connections');
  const ofProject = { turns: useWorkspace(({ project }) => project?.maxTurns), calls: useWorkspace(({ project }) => project?.maxCalls) };
  const field = (name: 'turns' | 'calls', key: 'maxTurns' | 'maxCalls') => (
    <TextField
      label={t(`agent.work.${name}`)}
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      placeholder={(ofProject[name] ?? stepRoom[name].usual).toLocaleString(language)}
      hint={t('agent.work.roomHint')}
      error={problems.includes(key) ? t('words:fromOneOrEmpty', { max: stepRoom[name].max.toLocaleString(language) }) : undefined}
      disabled={readOnly}
      value={draft[key]}
      onChange={(event) => change({ [key]: event.target.value })}
    />
  );
  return (
    <section className={styles.work} aria-labelledby="agent-work" data-testid="agent-work">
      <h3 id="agent-work">
        {t('agent.work.title')} {'work' in changes && <ChangedMark />}
      </h3>
      <Select
        label={t('words:filesOfRun')}
        hint={t('agent.work.fileAccessHint')}
        value={draft.fileAccess}
        options={fileAccesses.map((value) => ({ value, label: t(`agent.work.accesses.${value}`) }))}
        disabled={readOnly}
        onChange={(fileAccess) => change({ fileAccess })}
      />
      <div>
        <div className={styles.switch}>
          <Switch
            label={t('agent.work.runsTests')}
            checked={draft.runsTests}
            disabled={readOnly}
            onChange={(runsTests) => change({ runsTests })}
          />
        </div>
        <p className={styles.foldNote}>{t('agent.work.runsTestsHint')}</p>
      </div>
      <div className={styles.room}>
        {field('turns', 'maxTurns')}
        {field('calls', 'maxCalls')}
      </div>
    </section>
  );
}
