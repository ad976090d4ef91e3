import { openGroups } from '../../../canvas/folding/open-groups.ts';
import type { ParticipationCure, ParticipationReport } from '../../../model/run/participation/participation-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleAlert } from '../../../ui/icons/icons.ts';
import { useDispatch, useStore, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { revealNode } from '../camera/move-camera.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { RunFlyout } from './run-flyout.tsx';
import styles from './taking-part.module.css';

/** How many cards take part in the next run, and a list of what it leaves out, with what mends it in one press. D1.20 */
export function TakingPart() {
  const { t } = useTranslation('participation');
  const { taking, of, reports } = useWorkspace((state) => state.participation);
  const label = t('taking', { taking, count: of });
  if (reports.length === 0) return <span>{label}</span>;
  return (
    <RunFlyout
      label={label}
      trigger={
        <button type="button" className={styles.chip} data-testid="taking-part">
          <CircleAlert size={14} aria-hidden />
          {label}
        </button>
      }
    >
      <ul className={styles.reports}>
        {reports.map((report) => (
          <li key={`${report.kind} ${report.nodeIds.join(' ')} ${report.linkIds.join(' ')}`} data-report={report.kind}>
            <Report report={report} />
          </li>
        ))}
      </ul>
    </RunFlyout>
  );
}

/** A press on the sentence shows its cards and links on the canvas. */
function Report({ report: { kind, params, nodeIds, linkIds, cures } }: { report: ParticipationReport }) {
  const { t } = useTranslation('participation');
  const { view, readOnly } = useWorkspaceContext();
  const store = useStore();
  const dispatch = useDispatch();
  const show = () => {
    const { nodes, connections } = store.getState().document;
    const [link] = linkIds.flatMap((id) => connections[id] ?? []);
    openGroups(view, store, nodeIds, linkIds);
    const node = nodes[nodeIds[0] ?? ''] ?? nodes[link?.from.agentId ?? ''];
    view.update({ selectedNodes: new Set(nodeIds), selectedLinks: new Set(linkIds) });
    if (node) revealNode(view, node);
  };
  // Start begins with the selected card.
  const mend = ({ command }: ParticipationCure) => (command.type === 'run.foresee' ? show() : void dispatch(command));
  return (
    <>
      <button type="button" className={styles.sentence} onClick={show}>
        {t(kind, params)}
      </button>
      {!readOnly && cures.length > 0 && (
        <div className={styles.cures}>
          {cures.map((cure) => (
            <Button
              key={cure.kind + JSON.stringify(cure.params)}
              size="s"
              variant="secondary"
              data-cure={cure.kind}
              onClick={() => mend(cure)}
            >
              {t(`cure.${cure.kind}`, { from: '', to: '', ...cure.params })}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
