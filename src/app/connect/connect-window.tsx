import { type ComponentType, Suspense, useState } from 'react';
import { useApiBase } from '../../session/session-provider.tsx';
import { Modal } from '../../ui/controls/overlays/modal.tsx';
import { TabPanel, Tabs } from '../../ui/controls/tabs.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { useWorkspace } from '../../workers/bridge/use-workspace.ts';
import list from '../api-list/api-list.module.css';
import { type ConnectSection, usePanels } from '../workspace/frame/panels.tsx';
import styles from './connect.module.css';
import { SectionFold } from './section-fold.tsx';

/** `triggerId`: the trigger that is shown first. */
type SectionProps = { projectId: string; apiBase: string; triggerId: string | null };

/** Each section has a script of its own. One that is not alone behind its door has the texts `section.<name>` in `connect.json`. */
const sections: Record<ConnectSection, ComponentType<SectionProps>> = {
  teams: lazyPart<SectionProps>(() => import('../released-teams/teams-section.tsx').then((file) => file.TeamsSection)),
  keys: lazyPart<SectionProps>(() => import('../api-keys/api-keys.tsx').then((file) => file.ApiKeys)),
  triggers: lazyPart<SectionProps>(() => import('../triggers/triggers-section.tsx').then((file) => file.TriggersSection)),
  device: lazyPart<SectionProps>(() => import('./device-section.tsx').then((file) => file.DeviceSection)),
  telegram: lazyPart<SectionProps>(() => import('./telegram-section.tsx').then((file) => file.TelegramSection)),
  hooks: lazyPart<SectionProps>(() => import('./hooks-section.tsx').then((file) => file.HooksSection)),
};

/** What a project does with the world outside, and the sections behind each door. */
const doors = {
  call: ['teams', 'keys'],
  starts: ['triggers'],
  tells: ['device', 'telegram', 'hooks'],
} as const satisfies Record<string, readonly ConnectSection[]>;
type Door = keyof typeof doors;
const doorNames = Object.keys(doors) as Door[];

/** What connects the project with the world outside: who calls it, what starts it by itself, and whom it tells. K6.09 */
export function ConnectWindow() {
  const { t } = useTranslation('connect');
  const { panels, show } = usePanels();
  const project = useWorkspace((state) => state.project);
  const asked = panels.window?.kind === 'connect' ? panels.window : null;
  return (
    <Modal open={asked !== null} onClose={() => show({ window: null })} size="l" title={t('words:connect')} description={project?.name}>
      {asked && project && (
        <Doors
          key={`${project.id} ${asked.section} ${asked.triggerId}`}
          projectId={project.id}
          first={asked.section ?? 'teams'}
          triggerId={asked.triggerId ?? null}
        />
      )}
    </Modal>
  );
}

type DoorsProps = { projectId: string; first: ConnectSection; triggerId: string | null };

function Doors({ projectId, first, triggerId }: DoorsProps) {
  const { t } = useTranslation('connect');
  const [door, choose] = useState(() => doorNames.find((name) => sectionsOf(name).includes(first)) ?? 'call');
  const [opened, open] = useState<ConnectSection | null>(first);
  return (
    <Tabs
      className={styles.sections}
      label={t('sections')}
      value={door}
      onChange={(next) => {
        choose(next);
        open(doors[next][0]);
      }}
      tabs={doorNames.map((value) => ({ value, label: t(`door.${value}`) }))}
    >
      <TabPanel value={door} className={styles.section}>
        {door === 'starts' ? (
          <Section name="triggers" {...{ projectId, triggerId }} />
        ) : (
          doors[door].map((name) => (
            <SectionFold
              key={name}
              title={t(`section.${name}.title`)}
              about={t(`section.${name}.about`)}
              isOpen={opened === name}
              onToggle={() => open(opened === name ? null : name)}
            >
              <Section name={name} {...{ projectId, triggerId }} />
            </SectionFold>
          ))
        )}
      </TabPanel>
    </Tabs>
  );
}

function sectionsOf(door: Door): readonly ConnectSection[] {
  return doors[door];
}

function Section({ name, projectId, triggerId }: { name: ConnectSection; projectId: string; triggerId: string | null }) {
  const { t } = useTranslation('connect');
  const apiBase = useApiBase();
  const Content = sections[name];
  const loading = <Loading text={t('common:loading')} className={list.note} />;
  if (apiBase === null) return loading;
  return (
    <Suspense fallback={loading}>
      <Content {...{ projectId, apiBase, triggerId }} />
    </Suspense>
  );
}
