import { AnimatePresence } from 'framer-motion';
import * as m from 'framer-motion/m';
import { Suspense, useMemo, useState } from 'react';
import { flowTemplates, projectFlows } from '../../../../contract/flow-templates.ts';
import { offeredTypes } from '../../../../rules/node-kinds.ts';
import { nodeHue } from '../../../model/agents/roles.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { SearchField } from '../../../ui/controls/fields/search-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Lock, PanelLeft, PanelLeftClose, X } from '../../../ui/icons/icons.ts';
import { nodeIconName } from '../../../ui/icons/role-icon-name.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { panelFromLeft, sheet } from '../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../ui/motion/use-appearing.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { shortcutOf } from '../frame/action-table.ts';
import { usePanels } from '../frame/panels.tsx';
import { useNodeCounts } from '../frame/use-node-counts.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import panel from '../panel.module.css';
import { agentMenu } from './agent-menu.ts';
import { AgentSection } from './agent-section.tsx';
import { matchesQuery } from './matches-query.ts';
import { MenuRow } from './menu-row.tsx';
import { MenuSection } from './menu-section.tsx';
import styles from './sidebar.module.css';
import { usePatternRows } from './use-pattern-rows.ts';
import { usePlace } from './use-place.ts';
import { useUserRows } from './use-user-rows.ts';
import { UserSection } from './user-section.tsx';

const InsertSection = lazyPart(() => import('./insert-section.tsx').then((file) => file.InsertSection));

/**
 * The list of agents, people, cards where a run begins, flows and patterns. For a reader it stays open. On a narrow screen, where
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
            shortcut={shortcutOf('toggleSidebar')}
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
    .map(({ id, titleKey, agents: { length } }) => ({ id, title: t(titleKey as 'flow.fullCycle'), count: length }))
    .filter(({ title }) => matchesQuery(title, query));
  const beginnings = offeredTypes.map((kind) => ({ kind, title: t(`trigger.${kind}`) })).filter(({ title }) => matchesQuery(title, query));
  const shownRoles = roles.filter((item) => matchesQuery(`${item.title} ${item.role} ${item.description}`, query));
  const shownUsers = useUserRows(query);
  const patterns = usePatternRows(query);
  const searching = query.trim() !== '';
  const nothing = searching && flows.length + patterns.length + beginnings.length + shownRoles.length + shownUsers.length === 0;

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
            shortcut={shortcutOf('toggleSidebar')}
            size={mobile ? 40 : 32}
            icon={mobile ? <X size={18} /> : <PanelLeftClose size={17} />}
            onClick={() => show({ sidebar: false })}
          />
        )}
      </div>
      <div className={styles.scroll}>
        {(!searching || shownRoles.length > 0) && (
          <AgentSection rows={shownRoles} total={roles.length} searching={searching} disabled={still} onPlace={place} />
        )}
        {shownUsers.length > 0 && <UserSection rows={shownUsers} searching={searching} disabled={still} onPlace={place} />}
        {beginnings.length > 0 && (
          <MenuSection name="beginnings" title={t('sidebar.beginnings')} closed searching={searching}>
            {beginnings.map(({ kind, title }) => (
              <MenuRow
                key={kind}
                title={title}
                hue={nodeHue({ type: kind })}
                icon={nodeIconName({ type: kind })}
                disabled={still}
                source={{ item: { kind }, title }}
                onPlace={place}
              />
            ))}
          </MenuSection>
        )}
        {flows.length + patterns.length > 0 && (
          <Suspense fallback={null}>
            <InsertSection flows={flows} patterns={patterns} searching={searching} disabled={still} onPlace={place} />
          </Suspense>
        )}
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
