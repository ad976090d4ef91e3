import { AnimatePresence } from 'framer-motion';
import * as m from 'framer-motion/m';
import { Suspense, useMemo, useRef, useState } from 'react';
import { flowTemplates, projectFlows } from '../../../../contract/flow-templates.ts';
import { offeredTypes } from '../../../../rules/node-kinds.ts';
import { nodeHue, roleHue } from '../../../model/agents/roles.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { SearchField } from '../../../ui/controls/fields/search-field.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useLateProblemText } from '../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Lock, PanelLeft, PanelLeftClose, RefreshCw, Workflow, X } from '../../../ui/icons/icons.ts';
import { nodeIconName, roleIconName } from '../../../ui/icons/role-icon-name.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { panelFromLeft, sheet } from '../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../ui/motion/use-appearing.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import panel from '../panel.module.css';
import { usePanels } from '../panels.tsx';
import { shortcutLabel } from '../shortcuts/shortcut-label.ts';
import { useNodeCounts } from '../use-node-counts.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { AddRow } from './add-row.tsx';
import { agentMenu } from './agent-menu.ts';
import { matchesQuery } from './matches-query.ts';
import { MenuRow } from './menu-row.tsx';
import { MenuSection } from './menu-section.tsx';
import styles from './sidebar.module.css';
import { usePatternRows } from './use-pattern-rows.ts';
import { usePlace } from './use-place.ts';
import { useUserRows } from './use-user-rows.ts';
import { UserSection } from './user-section.tsx';

const PatternSection = lazyPart(() => import('./pattern-section.tsx').then((file) => file.PatternSection));

/**
 * The list of flows, patterns, triggers, agents and users. For a reader it stays open. On a narrow screen, where
 * it would cover the canvas, it opens and closes as usual. W2.09
 */
export function Sidebar() {
  const { t } = useTranslation('workspace');
  const { panels, show } = usePanels();
  const { readOnly, mobile } = useWorkspaceContext();
  const isOpen = panels.sidebar || (readOnly && !mobile);
  return (
    <>
      {!isOpen && !mobile && (
        <div className={`${panel.panel} ${styles.collapsed}`} data-panel>
          <IconButton
            label={t('sidebar.expand')}
            shortcut={shortcutLabel('mod+B')}
            tooltipSide="right"
            icon={<PanelLeft size={18} />}
            onClick={() => show({ sidebar: true })}
          />
        </div>
      )}
      <AnimatePresence initial={false}>{isOpen && <OpenSidebar key="sidebar" />}</AnimatePresence>
    </>
  );
}

function OpenSidebar() {
  const { t } = useTranslation('workspace');
  const { show } = usePanels();
  const { readOnly, demo, mobile } = useWorkspaceContext();
  const agents = useWorkspace((state) => state.agents);
  const placedAgents = useNodeCounts((counts) => counts.byAgent);
  const locked = useWorkspace((state) => isLocked(state.run));
  const isReplayed = useWorkspace((state) => state.replay !== null);
  const paused = useWorkspace((state) => state.run.phase === 'paused');
  const [query, setQuery] = useState('');
  const place = usePlace();
  const ready = useWorkspace((state) => state.status === 'ready');
  const appearing = useAppearing(mobile ? sheet : panelFromLeft);
  const still = readOnly || locked || !ready;

  const roles = useMemo(() => agentMenu(agents, placedAgents), [agents, placedAgents]);
  const flows = (demo ? flowTemplates : projectFlows)
    .map((template) => ({ template, title: t(template.titleKey as 'flow.fullCycle') }))
    .filter(({ title }) => matchesQuery(title, query));
  const triggers = offeredTypes.map((kind) => ({ kind, title: t(`trigger.${kind}`) })).filter(({ title }) => matchesQuery(title, query));
  const shownRoles = roles.filter((item) => matchesQuery(`${item.title} ${item.role} ${item.description}`, query));
  const shownUsers = useUserRows(query);
  const patterns = usePatternRows(query);
  const searching = query.trim() !== '';
  const nothing = searching && flows.length + patterns.length + triggers.length + shownRoles.length + shownUsers.length === 0;

  return (
    <m.nav
      {...appearing}
      className={`${panel.panel} ${panel.sheet} ${styles.sidebar}`}
      aria-label={t('sidebar.title')}
      data-panel
      data-testid="sidebar"
    >
      <div className={styles.head}>
        <div className={styles.search}>
          <SearchField label={t('sidebar.search')} size={mobile ? 'xl' : 's'} value={query} onSearch={setQuery} />
        </div>
        {(mobile || !readOnly) && (
          <IconButton
            label={t('sidebar.collapse')}
            shortcut={shortcutLabel('mod+B')}
            size={mobile ? 40 : 32}
            icon={mobile ? <X size={18} /> : <PanelLeftClose size={17} />}
            onClick={() => show({ sidebar: false })}
          />
        )}
      </div>
      <div className={styles.scroll}>
        {flows.length > 0 && (
          <MenuSection title={t('sidebar.flows')}>
            {flows.map(({ template, title }) => (
              <MenuRow
                key={template.id}
                title={title}
                hue="slate"
                tile={<Workflow size={14} strokeWidth={1.75} aria-hidden />}
                note={t('sidebar.nodes', { count: template.agents.length })}
                disabled={still}
                source={{ item: { kind: 'flow', templateId: template.id }, title }}
                onPlace={place}
              />
            ))}
          </MenuSection>
        )}
        {patterns.length > 0 && (
          <Suspense fallback={null}>
            <PatternSection rows={patterns} disabled={still} onPlace={place} />
          </Suspense>
        )}
        {triggers.length > 0 && (
          <MenuSection title={t('sidebar.triggers')}>
            {triggers.map(({ kind, title }) => (
              <MenuRow
                key={kind}
                title={title}
                hue={nodeHue({ type: kind })}
                icon={nodeIconName({ type: kind })}
                plus={!readOnly}
                disabled={still}
                source={{ item: { kind }, title }}
                onPlace={place}
              />
            ))}
          </MenuSection>
        )}
        {(!searching || shownRoles.length > 0) && (
          <AgentSection rows={shownRoles} total={roles.length} searching={searching} disabled={still} onPlace={place} />
        )}
        {shownUsers.length > 0 && <UserSection rows={shownUsers} searching={searching} disabled={still} onPlace={place} />}
        {nothing && <p className={styles.note}>{t('sidebar.nothingFound', { query: query.trim() })}</p>}
      </div>
      {(readOnly || locked || paused) && (
        <p className={styles.foot}>
          <Lock size={15} aria-hidden />
          {isReplayed ? t('sidebar.replayed') : readOnly ? t('sidebar.readOnly') : locked ? t('sidebar.locked') : t('sidebar.lockedPaused')}
        </p>
      )}
    </m.nav>
  );
}

type AgentSectionProps = {
  rows: ReturnType<typeof agentMenu>;
  /** The number of rows without a search. */
  total: number;
  searching: boolean;
  disabled: boolean;
  onPlace: ReturnType<typeof usePlace>;
};

/** The agents by their roles, and the ways to new ones. */
function AgentSection({ rows, total, searching, disabled, onPlace }: AgentSectionProps) {
  const { t } = useTranslation('workspace');
  const problemText = useLateProblemText();
  const dispatch = useDispatch();
  const { show } = usePanels();
  const { readOnly } = useWorkspaceContext();
  const agents = useWorkspace((state) => state.agents);

  const copying = useRef(new Set<string>());
  /** A second press before the first copy exists makes no second copy. */
  const duplicate = async (agentId: string | undefined) => {
    if (!agentId || copying.current.has(agentId)) return;
    copying.current.add(agentId);
    await dispatch({ type: 'agent.duplicate', agentId });
    copying.current.delete(agentId);
  };

  return (
    <MenuSection
      title={t('sidebar.agents')}
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
              {t('sidebar.retry')}
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
          onDuplicate={readOnly ? undefined : () => void duplicate(item.freeIds[0] ?? item.placedIds[0])}
          onBuy={readOnly ? undefined : () => show({ window: { kind: 'buyAgent', title: item.title, agentId: item.placedIds[0] ?? '' } })}
          disabled={disabled}
          source={item.freeIds[0] ? { item: { kind: 'agent', agentId: item.freeIds[0] }, title: item.title } : null}
          onPlace={onPlace}
        />
      ))}
      {!searching && !readOnly && (
        <>
          <AddRow title={t('sidebar.newAgent')} onAdd={() => show({ window: { kind: 'newAgent' } })} />
          <AddRow title={t('sidebar.moreAgents')} onAdd={() => show({ window: { kind: 'addAgent' } })} />
        </>
      )}
    </MenuSection>
  );
}
