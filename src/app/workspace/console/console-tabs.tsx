import type { LucideIcon } from 'lucide-react/types';
import { type ReactNode, Suspense } from 'react';
import type { ExecutionFiles } from '../../../../contract/executions/file.ts';
import { isRunActive } from '../../../model/workspace-state.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Menu, MenuItem } from '../../../ui/controls/overlays/menu.tsx';
import { TabPanel, Tabs } from '../../../ui/controls/tabs.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import {
  Brain,
  ChartColumn,
  ChevronDown,
  FlaskConical,
  Folder,
  History,
  Maximize2,
  MessageCircle,
  Minimize2,
  Pause,
  Play,
  Radio,
  X,
} from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { type RemoteData, useRead } from '../../server-data/use-read.ts';
import { connectionDisplayState } from '../bars/connection-display-state.ts';
import { shortcutOf } from '../frame/action-table.ts';
import { type ConsoleTab, usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { HistoryList } from '../history/lazy-history-list.ts';
import { runFigures } from '../run/run-figures.ts';
import { useShownRun } from '../run/use-shown-run.ts';
import { CommandLine } from './command-line/command-line.tsx';
import styles from './console.module.css';
import { Communication } from './conversation/communication.tsx';
import { Files, Live, Summary, Tests, Thinking } from './later-tabs.ts';
import { useTestReports } from './test-tab/use-test-reports.ts';
import { useThoughts } from './thinking/use-thoughts.ts';

const icons: Record<ConsoleTab, LucideIcon> = {
  files: Folder,
  test: FlaskConical,
  communication: MessageCircle,
  thinking: Brain,
  summary: ChartColumn,
  history: History,
  live: Radio,
};
const order: ConsoleTab[] = ['files', 'thinking', 'communication', 'summary', 'test', 'history', 'live'];

/** The tabs of the open console, each with its count, and the content of the chosen one. */
export function ConsoleTabs() {
  const { t } = useTranslation('console');
  const { panels, show } = usePanels();
  const { mobile } = useWorkspaceContext();
  const files = useExecutionFiles();
  const thoughts = useThoughts();
  const tabs = useTabs(files.remote.value?.files.length ?? 0, thoughts.rows.length);
  const contents: Record<ConsoleTab, ReactNode> = {
    files: <Files remote={files.remote} executionId={files.executionId} />,
    thinking: <Thinking thoughts={thoughts} />,
    communication: (
      <div className={styles.talk}>
        <Communication />
        <CommandLine />
      </div>
    ),
    summary: <Summary />,
    test: <Tests />,
    history: <HistoryList wide />,
    live: <Live />,
  };
  return (
    <>
      {mobile && (
        <div className={styles.sheetHead}>
          <TabMenu tabs={tabs} />
          <ConsoleButtons />
        </div>
      )}
      <Tabs
        className={styles.tabs}
        label={t('tabs.label')}
        value={panels.tab}
        onChange={(tab) => show({ tab })}
        tabs={tabs}
        aside={mobile ? null : <ConsoleButtons />}
      >
        {order.map((tab) => (
          <TabPanel key={tab} value={tab} className={styles.body}>
            <Suspense fallback={null}>{contents[tab]}</Suspense>
          </TabPanel>
        ))}
      </Tabs>
    </>
  );
}

/** Returns the tabs with their counts. Two have a light: while agents work, and while the live events are connected. */
function useTabs(files: number, thoughts: number) {
  const { t } = useTranslation('console');
  const messages = useWorkspace((state) => state.console.count);
  const items = useWorkspace(({ history }) =>
    history.whole || history.items.length === 0 ? history.items.length : `${history.items.length}+`,
  );
  const run = useShownRun();
  const received = useWorkspace((state) => state.live.received);
  const connection = useWorkspace(connectionDisplayState);
  const checks = useTestReports().reduce((sum, { report }) => sum + report.checks.length, 0);
  const counts: Partial<Record<ConsoleTab, number | string>> = {
    files,
    test: checks,
    thinking: thoughts,
    communication: messages,
    history: items,
    live: received,
  };
  const lit: Partial<Record<ConsoleTab, boolean>> = {
    thinking: isRunActive(run) && runFigures(run).atWork > 0,
    live: connection === 'connected' || connection === 'demo',
  };
  return order.map((value) => {
    const Icon = icons[value];
    return {
      value,
      label: t(`tabs.${value}`),
      icon: (
        <span className={styles.tabIcon}>
          <Icon size={15} strokeWidth={1.9} aria-hidden />
          {lit[value] && <i className={styles.lit} data-kind={value} />}
        </span>
      ),
      count: counts[value] || undefined,
    };
  });
}

/** The tabs as a menu, where a row of them has no room. */
function TabMenu({ tabs }: { tabs: ReturnType<typeof useTabs> }) {
  const { t } = useTranslation('console');
  const { panels, show } = usePanels();
  const CurrentIcon = icons[panels.tab];
  const count = tabs.find(({ value }) => value === panels.tab)?.count;
  return (
    <Menu
      trigger={
        <button type="button" className={styles.burger}>
          <CurrentIcon size={17} aria-hidden />
          <span className="visually-hidden">{t('tabs.label')} </span>
          {t(`tabs.${panels.tab}`)}
          {count !== undefined && <small>{count}</small>}
          <ChevronDown size={16} aria-hidden />
        </button>
      }
    >
      {tabs.map((tab) => (
        <MenuItem key={tab.value} icon={tab.icon} chosen={tab.value === panels.tab} onSelect={() => show({ tab: tab.value })}>
          {tab.label}
          {tab.count !== undefined && <span className={styles.menuCount}>{tab.count}</span>}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Holds the console's lines, fills the screen, and closes the console. */
function ConsoleButtons() {
  const { t } = useTranslation('console');
  const { panels, show } = usePanels();
  const { mobile } = useWorkspaceContext();
  const isFull = panels.console === 'full';
  return (
    <div className={styles.buttons}>
      <IconButton
        label={panels.isPaused ? t('goOn') : t('hold')}
        pressed={panels.isPaused}
        tooltipSide="top"
        size={mobile ? 40 : 32}
        icon={panels.isPaused ? <Play size={16} /> : <Pause size={16} />}
        onClick={() => show({ isPaused: !panels.isPaused })}
      />
      {!mobile && (
        <IconButton
          label={isFull ? t('exitFullscreen') : t('fullscreen')}
          tooltipSide="top"
          icon={isFull ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
          onClick={() => show({ console: isFull ? 'open' : 'full' })}
        />
      )}
      <IconButton
        label={t('close')}
        shortcut={shortcutOf('toggleConsole')}
        tooltipSide="top"
        size={mobile ? 40 : 32}
        icon={<X size={18} />}
        onClick={() => show({ console: 'closed' })}
      />
    </div>
  );
}

/** Loads the files of the shown run, again after each step. */
function useExecutionFiles(): { remote: RemoteData<ExecutionFiles>; executionId: string | null } {
  const executionId = useWorkspace((state) => state.run.execution?.id ?? null);
  const { done } = runFigures(useShownRun());
  const remote = useRead('execution.files', executionId === null ? null : { params: { id: executionId } }, { when: done });
  return { remote, executionId };
}
