import { Suspense } from 'react';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { TabPanel, Tabs } from '../../../ui/controls/tabs.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { Loading } from '../../../ui/loading/remote-state.tsx';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import type { ConnectionsProps } from '../connections/connections.tsx';
import { usePanels, type WorkspaceWindow } from '../frame/panels.tsx';
import type { ServersProps } from '../tools/servers.tsx';
import styles from './models-and-tools.module.css';

const Connections = lazyPart<ConnectionsProps>(() => import('../connections/connections.tsx').then((file) => file.Connections));
const Servers = lazyPart<ServersProps>(() => import('../tools/servers.tsx').then((file) => file.Servers));

type OpenedPart = Extract<WorkspaceWindow, { kind: 'connections' | 'tools' }>;
const parts = ['connections', 'tools'] as const satisfies readonly OpenedPart['kind'][];

/** What agents work with: the servers of models, and the servers of tools. */
export function ModelsAndToolsWindow() {
  const { t } = useTranslation('projects');
  const { panels, show } = usePanels();
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const { window: shown } = panels;
  const asked = shown?.kind === 'connections' || shown?.kind === 'tools' ? shown : null;
  return (
    <Modal open={asked !== null} onClose={() => show({ window: null })} size="xl" title={t('modelsAndTools')}>
      {projectId !== null && asked && <Parts key={projectId} projectId={projectId} asked={asked} />}
    </Modal>
  );
}

function Parts({ projectId, asked }: { projectId: string; asked: OpenedPart }) {
  const { t } = useTranslation('projects');
  const { show } = usePanels();
  return (
    <Tabs
      className={styles.parts}
      label={t('modelsAndTools')}
      value={asked.kind}
      onChange={(kind) => show({ window: { kind } })}
      tabs={parts.map((value) => ({ value, label: t(`part.${value}.title`) }))}
    >
      <TabPanel value={asked.kind} className={styles.part}>
        <p className={styles.about}>{t(`part.${asked.kind}.about`)}</p>
        <Suspense fallback={<Loading text={t('loading')} className={styles.about} />}>
          {asked.kind === 'connections' ? (
            <Connections projectId={projectId} first={asked.connectionId ?? null} adds={asked.add === true} starts={asked.start === true} />
          ) : (
            <Servers key={asked.serverId} projectId={projectId} serverId={asked.serverId ?? null} problem={asked.problem ?? null} />
          )}
        </Suspense>
      </TabPanel>
    </Tabs>
  );
}
