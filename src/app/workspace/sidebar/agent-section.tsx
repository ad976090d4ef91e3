import { useRef } from 'react';
import { roleHue } from '../../../model/agents/roles.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useLateProblemText } from '../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { RefreshCw } from '../../../ui/icons/icons.ts';
import { roleIconName } from '../../../ui/icons/role-icon-name.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { AddRow } from './add-row.tsx';
import type { agentMenu } from './agent-menu.ts';
import { MenuRow } from './menu-row.tsx';
import { MenuSection } from './menu-section.tsx';
import styles from './sidebar.module.css';
import type { usePlace } from './use-place.ts';

type AgentRow = ReturnType<typeof agentMenu>[number];

type AgentSectionProps = {
  rows: readonly AgentRow[];
  /** The number of rows without a search. */
  total: number;
  searching: boolean;
  disabled: boolean;
  onPlace: ReturnType<typeof usePlace>;
};

/** The agents by their roles, and the ways to new ones. */
export function AgentSection({ rows, total, searching, disabled, onPlace }: AgentSectionProps) {
  const { t } = useTranslation('workspace');
  const problemText = useLateProblemText();
  const dispatch = useDispatch();
  const { show } = usePanels();
  const { readOnly } = useWorkspaceContext();
  const agents = useWorkspace((state) => state.agents);

  const copying = useRef(new Set<string>());
  /** A second press before the first copy exists makes no second copy. Where none is left to place, the copy is placed. R53 */
  const duplicate = async ({ freeIds: [freeId], placedIds: [placedId] }: AgentRow) => {
    const agentId = freeId ?? placedId;
    if (!agentId || copying.current.has(agentId)) return;
    copying.current.add(agentId);
    const made = await dispatch({ type: 'agent.duplicate', agentId });
    copying.current.delete(agentId);
    if (!freeId && !disabled && made.ok && made.value?.agentId) onPlace({ kind: 'agent', agentId: made.value.agentId });
  };

  return (
    <MenuSection
      name="agents"
      title={t('sidebar.agents')}
      searching={searching}
      busy={agents.status === 'loading'}
      aside={
        <IconButton
          label={t('sidebar.refreshAgents')}
          size={24}
          icon={agents.status === 'loading' ? <Spinner size={14} /> : <RefreshCw size={13} />}
          onClick={() => void dispatch({ type: 'agents.reload' })}
        />
      }
    >
      {agents.status === 'failed' && (
        <li>
          <div className={styles.problem} role="alert">
            <p>{agents.error ? problemText(agents.error) : t('sidebar.agentsFailed')}</p>
            <Button size="xs" onClick={() => void dispatch({ type: 'agents.reload' })}>
              {t('words:retry')}
            </Button>
          </div>
        </li>
      )}
      {agents.status === 'loading' && total === 0 && <li className={styles.note}>{t('sidebar.loadingAgents')}</li>}
      {agents.status === 'ready' && total === 0 && <li className={styles.note}>{t('sidebar.noAgents')}</li>}
      {rows.map((item) => (
        <MenuRow
          key={item.role}
          title={item.title}
          hue={roleHue(item.role)}
          icon={roleIconName(item.role)}
          count={item.freeIds.length}
          placedAgentId={item.placedIds[0]}
          settingsAgentId={item.freeIds[0] ?? item.placedIds[0]}
          onDuplicate={readOnly ? undefined : () => void duplicate(item)}
          onBuy={readOnly ? undefined : () => show({ window: { kind: 'buyAgent', title: item.title, agentId: item.placedIds[0] ?? '' } })}
          disabled={disabled}
          source={item.freeIds[0] ? { item: { kind: 'agent', agentId: item.freeIds[0] }, title: item.title } : null}
          onPlace={onPlace}
        />
      ))}
      {!searching && !readOnly && <AddRow title={t('words:newAgent')} onAdd={() => show({ window: { kind: 'newAgent' } })} />}
    </MenuSection>
  );
}
