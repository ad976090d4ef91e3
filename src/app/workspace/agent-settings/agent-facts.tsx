import { type Agent, agentStatuses } from '../../../../contract/agent.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import styles from './agent-settings.module.css';

/** What is known of the agent and cannot be changed here. */
export function AgentFacts({ agent }: { agent: Agent }) {
  const { t } = useTranslation('workspace');
  const status = agent.status === agentStatuses.active ? 'active' : agent.status === agentStatuses.busy ? 'busy' : 'inactive';
  return (
    <section className={styles.facts}>
      <h3>{t('agent.about')}</h3>
      <dl>
        <div>
          <dt>{t('agent.role')}</dt>
          <dd>{agent.role}</dd>
        </div>
        <div>
          <dt>{t('agent.status')}</dt>
          <dd data-status={status}>{t(`agent.${status}`)}</dd>
        </div>
        <div>
          <dt>{t('agent.specialization')}</dt>
          <dd>{agent.specialization || t('agent.none')}</dd>
        </div>
        <div>
          <dt>{t('agent.priority')}</dt>
          <dd>{t('agent.priorityOf', { priority: agent.priority })}</dd>
        </div>
      </dl>
      {agent.skills.length > 0 && (
        <>
          <h4>{t('agent.skills')}</h4>
          <ul>
            {agent.skills.map((skill) => (
              <li key={skill}>{skill}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
