import { useEffect } from 'react';
import type { Agent } from '../../../../contract/agent.ts';
import { agentStatuses } from '../../../../contract/agent-statuses.ts';
import { answeringModel } from '../../../model/agents/answering-model.ts';
import type { AgentFigures } from '../../../model/workspace-state.ts';
import { durationText } from '../../../ui/i18n/duration.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { formatDate } from '../time/format-moment.ts';
import styles from './agent-settings.module.css';
import { useRoleName } from './use-role-name.ts';

/** Read-only facts about the agent, and the statistics of its work. W3.08 */
export function AgentFacts({ agent }: { agent: Agent }) {
  const { t, language } = useTranslation('connections');
  const roleName = useRoleName();
  const dispatch = useDispatch();
  const status = agent.status === agentStatuses.active ? 'active' : agent.status === agentStatuses.busy ? 'busy' : 'inactive';
  const counted = useWorkspace((state) => state.agentFigures[agent.id]);
  const hasServer = useWorkspace((state) => state.project !== null);
  useEffect(() => {
    if (hasServer) void dispatch({ type: 'agent.count', agentId: agent.id });
  }, [dispatch, hasServer, agent.id]);
  const figures = counted && figuresOf(counted);

  function figuresOf({ statistics, availability, load }: AgentFigures) {
    const { totalCommands: total, successfulCommands: successful, averageExecutionTime, lastActivity } = statistics;
    const percent = Math.round(load.loadPercentage);
    return [
      ['commands', t('agent.figures.commandsOf', { total, successful })],
      ['average', averageExecutionTime === null ? t('agent.figures.never') : durationText(averageExecutionTime, language)],
      ['availability', t(availability.isAvailable ? 'agent.figures.free' : 'agent.figures.taken')],
      ['load', t('agent.figures.loadOf', { current: load.currentLoad, most: load.maxLoad, percent })],
      ['lastActivity', lastActivity === null ? t('agent.figures.never') : formatDate(lastActivity, language)],
    ] as const;
  }

  return (
    <section className={styles.facts}>
      <h3>{t('agent.about')}</h3>
      <dl>
        <div>
          <dt>{t('words:role')}</dt>
          <dd>{roleName(agent.role)}</dd>
        </div>
        <div>
          <dt>{t('agent.answers')}</dt>
          <dd data-testid="answering-model">{answeringModel(agent) ?? t('words:simulated')}</dd>
        </div>
        <div>
          <dt>{t('words:status')}</dt>
          <dd data-status={status}>{t(`agent.${status}`)}</dd>
        </div>
        <div>
          <dt>{t('agent.specialization')}</dt>
          <dd>{agent.specialization || t('agent.none')}</dd>
        </div>
        <div>
          <dt>{t('common:priority')}</dt>
          <dd>{t('agent.priorityOf', { priority: agent.priority })}</dd>
        </div>
        {figures?.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`agent.figures.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
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
