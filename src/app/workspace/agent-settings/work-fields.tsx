import { fileAccesses } from '../../../../contract/agent.ts';
import { stepRoom } from '../../../../contract/step-room.ts';
import { FormSelect, FormSwitch, FormText } from '../../../ui/form/form-fields.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import styles from './agent-settings.module.css';
import { ChangedMark } from './changed-mark.tsx';
import type { ModelFieldsProps } from './own-fields.tsx';

/** What an agent may do in a step: with files and tests, and for how many turns and calls. */
export function WorkFields({ form, changes, readOnly }: ModelFieldsProps) {
  const { t, language } = useTranslation('connections');
  const ofProject = { turns: useWorkspace(({ project }) => project?.maxTurns), calls: useWorkspace(({ project }) => project?.maxCalls) };
  const field = (name: 'turns' | 'calls', key: 'maxTurns' | 'maxCalls') => (
    <FormText
      {...{ form, name: key, inputMode: 'numeric', autoComplete: 'off', maxLength: 8, disabled: readOnly }}
      label={t(`agent.work.${name}`)}
      placeholder={(ofProject[name] ?? stepRoom[name].usual).toLocaleString(language)}
      hint={t('agent.work.roomHint')}
      error={t('words:fromOneOrEmpty', { max: stepRoom[name].max.toLocaleString(language) })}
    />
  );
  return (
    <section className={styles.work} aria-labelledby="agent-work" data-testid="agent-work">
      <h3 id="agent-work">
        {t('agent.work.title')} {'work' in changes && <ChangedMark />}
      </h3>
      <FormSelect
        {...{ form, name: 'fileAccess', disabled: readOnly }}
        label={t('words:filesOfRun')}
        hint={t('agent.work.fileAccessHint')}
        options={fileAccesses.map((value) => ({ value, label: t(`agent.work.accesses.${value}`) }))}
      />
      <div>
        <div className={styles.switch}>
          <FormSwitch {...{ form, name: 'runsTests', disabled: readOnly }} label={t('agent.work.runsTests')} />
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
