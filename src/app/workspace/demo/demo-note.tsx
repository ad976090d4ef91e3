import { useEffect, useState } from 'react';
import { flowTemplates } from '../../../../contract/flow-templates.ts';
import { Flyout } from '../../../ui/controls/overlays/flyout.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Info } from '../../../ui/icons/icons.ts';
import { useDispatch, useStore, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import styles from './demo.module.css';
import { OtherCanvas } from './other-canvas.tsx';

/** Marks the page as a demonstration, with its figures on request. W9.05 */
export function DemoNote() {
  const { t } = useTranslation('workspace');
  const { mobile } = useWorkspaceContext();
  const [open, setOpen] = useState(false);
  return (
    <Flyout
      open={open}
      onOpenChange={setOpen}
      sheet={mobile}
      label={t('demo.note.title')}
      trigger={
        <button type="button" className={styles.badge} data-testid="demo-note">
          {t('demo.badge')}
          <Info size={13} aria-hidden />
        </button>
      }
    >
      <section className={styles.note}>
        <h2>{t('demo.note.title')}</h2>
        <p>{t('demo.note.text')}</p>
        {mobile && <OtherCanvas />}
        <Figures />
      </section>
    </Flyout>
  );
}

function Figures() {
  const { t, language } = useTranslation('workspace');
  const store = useStore();
  const dispatch = useDispatch();
  const projectId = useWorkspace((state) => state.project?.id);
  const agents = useWorkspace((state) => state.agents.order.length);
  const counted = useWorkspace((state) => state.projects.statistics[projectId ?? '']);
  const figures = useWorkspace((state) => state.agentFigures);
  useEffect(() => {
    if (projectId !== undefined) void dispatch({ type: 'project.count', id: projectId });
    for (const agentId of store.getState().agents.order) void dispatch({ type: 'agent.count', agentId });
  }, [dispatch, store, projectId]);
  const statistics = Object.values(figures).map((of) => of.statistics);
  const sum = (of: (one: (typeof statistics)[number]) => number) => statistics.reduce((total, one) => total + of(one), 0);
  const values = {
    agents,
    flows: flowTemplates.length,
    pipelines: counted?.totalPipelines ?? 0,
    runs: counted?.totalExecutions ?? 0,
    commands: sum((one) => one.totalCommands),
    successful: sum((one) => one.successfulCommands),
    failed: sum((one) => one.failedCommands),
  } as const;
  return (
    <dl className={styles.figures} aria-label={t('demo.note.figures')}>
      {Object.entries(values).map(([key, value]) => (
        <div key={key} data-figure={key}>
          <dt>{t(`demo.note.${key as keyof typeof values}`)}</dt>
          <dd>{value.toLocaleString(language)}</dd>
        </div>
      ))}
    </dl>
  );
}
