import type { LucideIcon } from 'lucide-react/types';
import { Suspense } from 'react';
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
import { type ConsoleTab, usePanels } from '../panels.tsx';
import { runFigures } from '../run/run-figures.ts';
import { useShownRun } from '../run/use-shown-run.ts';
import { shortcutLabel } from '../shortcuts/shortcut-label.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { CommandLine } from './command-line/command-line.tsx';
import styles from './console.module.css';
import { Communication } from './conversation/communication.tsx';
import { Files, HistoryList, Live, Summary, Tests, Thinking } from './later-tabs.ts';
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
  const messages = useWorkspace((state) => state.console.count);
  const items = useWorkspace(({ history }) =>
    history.whole || history.items.length === 0 ? history.items.length : `${history.items.length}+`,
  );
  const run = useShownRun();
  const thinking = isRunActive(run) && runFigures(run).atWork > 0;
  const received = useWorkspace((state) => state.live.received);
  const connection = useWorkspace(connectionDisplayState);
  const files = useExecutionFiles();
  const thoughts = useThoughts();
  const checks = useTestReports().reduce((sum, { report }) => sum + report.checks.length, 0);
  const counts: Partial<Record<ConsoleTab, number | string>> = {
    files: files.remote.value?.files.length ?? 0,
    test: checks,
    thinking: thoughts.rows.length,
    communication: messages,
    history: items,
    live: received,
  };
  const tabs = order.map((value) => {
    const Icon = icons[value];
    const lit = (value === 'live' && (connection === 'connected' || connection === 'demo')) || (value === 'thinking' && thinking);
    return {
      value,
      label: t(`tabs.${value}`),
      icon: (
        <span className={styles.tabIcon}>
          <Icon size={15} strokeWidth={1.9} aria-hidden />
          {lit && <i className={styles.lit} data-kind={value} />}
        </span>
      ),
      ...(counts[value] ? { count: counts[value] } : {}),
    };
  });
  const CurrentIcon = icons[panels.tab];
  const buttons = (
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
          label={panels.console === 'full' ? t('exitFullscreen') : t('fullscreen')}
          tooltipSide="top"
          icon={panels.console === 'full' ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
          onClick={() => show({ console: panels.console === 'full' ? 'open' : 'full' })}
        />
      )}
      <IconButton
        label={t('close')}
        shortcut={shortcutLabel('mod+J')}
        tooltipSide="top"
        size={mobile ? 40 : 32}
        icon={<X size={18} />}
        onClick={() => show({ console: 'closed' })}
      />
    </div>
  );
  return (
    <>
      {mobile && (
        <div className={styles.sheetHead}>
          <Menu
            trigger={
              <button type="button" className={styles.burger}>
                <CurrentIcon size={17} aria-hidden />
                <span className="visually-hidden">{t('tabs.label')} </span>
                {t(`tabs.${panels.tab}`)}
                {counts[panels.tab] ? <small>{counts[panels.tab]}</small> : null}
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
          {buttons}
        </div>
      )}
      <Tabs
        className={styles.tabs}
        label={t('tabs.label')}
        value={panels.tab}
        onChange={(tab) => show({ tab })}
        tabs={tabs}
        aside={mobile ? null : buttons}
      >
        <TabPanel value="files" className={styles.body}>
          <Suspense fallback={null}>
            <Files remote={files.remote} executionId={files.executionId} />
          </Suspense>
        </TabPanel>
        <TabPanel value="communication" className={styles.body}>
          <div className={styles.talk}>
            <Communication />
            <CommandLine />
          </div>
        </TabPanel>
        <TabPanel value="thinking" className={styles.body}>
          <Suspense fallback={null}>
            <Thinking thoughts={thoughts} />
          </Suspense>
        </TabPanel>
        <TabPanel value="summary" className={styles.body}>
          <Suspense fallback={null}>
            <Summary />
          </Suspense>
        </TabPanel>
        <TabPanel value="test" className={styles.body}>
          <Suspense fallback={null}>
            <Tests />
          </Suspense>
        </TabPanel>
        <TabPanel value="history" className={styles.body}>
          <Suspense fallback={null}>
            <HistoryList wide />
          </Suspense>
        </TabPanel>
        <TabPanel value="live" className={styles.body}>
          <Suspense fallback={null}>
            <Live />
          </Suspense>
        </TabPanel>
      </Tabs>
    </>
  );
}

/** Loads the files of the shown run, again after each step. */
function useExecutionFiles(): { remote: RemoteData<ExecutionFiles>; executionId: string | null } {
  const executionId = useWorkspace((state) => state.run.execution?.id ?? null);
  const { done } = runFigures(useShownRun());
  const remote = useRead('execution.files', executionId === null ? null : { params: { id: executionId } }, { when: done });
  return { remote, executionId };
}
