import type { Effort, fileAccesses, ProviderType } from '../../../../contract/agent.ts';
import { parallelByBranches } from '../../../../contract/executions/parallel-steps.ts';
import type { TeamChange } from '../../../../contract/team-version.ts';
import type { ToolPolicy } from '../../../../contract/tool-server.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import styles from './versions.module.css';
import { Words } from './words.tsx';

/** Texts of these fields are compared word by word. */
const texts: readonly TeamChange['field'][] = ['systemPrompt', 'description'];

/** What a restoration changes of agents and settings: an agent after another, then the project. */
export function TeamChanges({ changes }: { changes: readonly TeamChange[] }) {
  const { t } = useTranslation('versions');
  const byAgent = Map.groupBy(changes, ({ agentId }) => agentId);
  return (
    <>
      <p className={styles.text}>{t('team.changes', { count: changes.length })}</p>
      {[...byAgent].map(([agentId, ofAgent]) => (
        <section key={agentId} className={styles.teamPrompt} data-testid="team-changes">
          <strong>{agentId === null ? t('words:settingsOfRuns') : ofAgent[0]?.agent}</strong>
          <dl className={styles.changes}>
            {ofAgent.map((change) => (
              <div key={`${change.field} ${change.name}`} data-field={change.field}>
                <dt>{t(`team.field.${change.field}`, { name: change.name })}</dt>
                <dd>
                  <Change change={change} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}

function Change({ change }: { change: TeamChange }) {
  const { t } = useTranslation('versions');
  const textOf = useValueText();
  const { field, now, inVersion } = change;
  if (field === 'made') return t('team.madeAgain');
  if (texts.includes(field) && typeof now === 'string' && typeof inVersion === 'string')
    return <Words before={now} after={inVersion} isShort />;
  return (
    <>
      <del className={styles.removed}>
        <span className="visually-hidden">{t('is')} </span>
        {textOf(change, now)}
      </del>{' '}
      <span aria-hidden>→</span>{' '}
      <ins className={styles.added}>
        <span className="visually-hidden">{t('team.becomes')} </span>
        {textOf(change, inVersion)}
      </ins>
    </>
  );
}

/** Returns the words for a value of a change, as the settings of agents have them. */
function useValueText() {
  const { t, language } = useTranslation('versions');
  const { t: ofAgents } = useTranslation('connections');
  const { t: ofTools } = useTranslation('tool-servers');
  return ({ field }: TeamChange, value: TeamChange['now']): string => {
    if (field === 'effort') return ofAgents(`agent.efforts.${(value ?? 'unset') as Effort | 'unset'}`);
    if (field === 'connectionId') return value === null ? t('team.ownServer') : String(value);
    if (field === 'providerType') return ofAgents(`agent.providers.${value as ProviderType}`);
    if (field === 'fileAccess') return ofAgents(`agent.work.accesses.${value as (typeof fileAccesses)[number]}`);
    if (field === 'policy') return ofTools(`policies.${value as ToolPolicy}`);
    if (field === 'parallelSteps' && value === parallelByBranches) return t('team.byBranches');
    if (value === null || value === '') return t('team.unset');
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    return value.toLocaleString(language);
  };
}
