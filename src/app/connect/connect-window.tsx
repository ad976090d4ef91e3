import { type ComponentType, Suspense, useState } from 'react';
import { useApiBase } from '../../session/session-provider.tsx';
import { Modal } from '../../ui/controls/overlays/modal.tsx';
import { TabPanel, Tabs } from '../../ui/controls/tabs.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { useWorkspace } from '../../workers/bridge/use-workspace.ts';
import { type ConnectSection, usePanels } from '../workspace/panels.tsx';
import styles from './connect.module.css';

export type SectionProps = { projectId: string; apiBase: string };

/** Each section has a script of its own, and the text `section.<name>` in `connect.json`. */
const sections: Record<ConnectSection, ComponentType<SectionProps>> = {
  teams: lazyPart<SectionProps>(() => import('../released-teams/teams-section.tsx').then((file) => file.TeamsSection)),
  hooks: lazyPart<SectionProps>(() => import('./hooks-section.tsx').then((file) => file.HooksSection)),
  telegram: lazyPart<SectionProps>(() => import('./telegram-section.tsx').then((file) => file.TelegramSection)),
  device: lazyPart<SectionProps>(() => import('./device-section.tsx').then((file) => file.DeviceSection)),
  keys: lazyPart<SectionProps>(() => import('../api-keys/api-keys.tsx').then((file) => file.ApiKeys)),
};
const names = Object.keys(sections) as ConnectSection[];

/** What connects the project with other programs, by its kind. K6.09 */
export function ConnectWindow() {
  const { t } = useTranslation('connect');
  const { panels, show } = usePanels();
  const project = useWorkspace((state) => state.project);
  const asked = panels.window?.kind === 'connect' ? panels.window : null;
  return (
    <Modal open={asked !== null} onClose={() => show({ window: null })} size="l" title={t('title')} description={project?.name}>
      {asked && project && <Sections key={project.id} projectId={project.id} first={asked.section ?? 'teams'} />}
    </Modal>
  );
}

function Sections({ projectId, first }: { projectId: string; first: ConnectSection }) {
  const { t } = useTranslation('connect');
  const apiBase = useApiBase();
  const [chosen, choose] = useState(first);
  const Section = sections[chosen];
  return (
    <Tabs
      className={styles.sections}
      label={t('sections')}
      value={chosen}
      onChange={choose}
      tabs={names.map((value) => ({ value, label: t(`section.${value}`) }))}
    >
      <TabPanel value={chosen} className={styles.section}>
        {apiBase === null ? (
          <Loading text={t('loading')} className={styles.note} />
        ) : (
          <Suspense fallback={<Loading text={t('loading')} className={styles.note} />}>
            <Section projectId={projectId} apiBase={apiBase} />
          </Suspense>
        )}
      </TabPanel>
    </Tabs>
  );
}
