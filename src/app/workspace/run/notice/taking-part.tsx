import { openGroups } from '../../../../canvas/folding/open-groups.ts';
import {
  isOpen,
  type ParticipationCure,
  type ParticipationReport,
  participationKinds,
} from '../../../../model/run/participation/participation-state.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { useLateProblemText } from '../../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { CircleAlert } from '../../../../ui/icons/icons.ts';
import { useDispatch, useStore, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { revealNode } from '../../camera/move-camera.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { RunFlyout } from '../settings/run-flyout.tsx';
import styles from './taking-part.module.css';

/**
 * What a person should know of the next run: what is to be changed, the gravest first, else how many cards take part. It opens a list of all,
 * with what mends it in one press. D1.20
 */
export function TakingPart() {
  const { t } = useTranslation('participation');
  const light = useLight();
  const { taking, of, reports } = useWorkspace((state) => state.participation);
  const [matter, ...more] = reports.flatMap(matterOf).toSorted((a, b) => Number(b.refuses) - Number(a.refuses));
  const counted = t('taking', { taking, count: of });
  const said = matter && t(`matter.${matter.kind}`, matter.params);
  const label = said === undefined ? counted : more.length > 0 ? t('more', { matter: said, count: more.length }) : said;
  if (reports.length === 0) return <span>{label}</span>;
  return (
    <RunFlyout
      label={label}
      trigger={
        <button
          type="button"
          className={styles.chip}
          data-asks={matter !== undefined || undefined}
          data-testid="taking-part"
          // What Start is refused for is lit at once.
          onClick={() => matter?.refuses && light(matter.report)}
        >
          {matter && <CircleAlert size={14} aria-hidden />}
          <span>{label}</span>
        </button>
      }
    >
      <ul className={styles.reports}>
        {reports.map((report) => (
          <li
            key={`${report.problem?.code ?? report.kind} ${report.nodeIds.join(' ')} ${report.linkIds.join(' ')}`}
            data-report={report.kind}
          >
            <Report report={report} />
          </li>
        ))}
      </ul>
    </RunFlyout>
  );
}

/** What of a report is to be changed; none where a person has decided it. */
function matterOf(report: ParticipationReport) {
  const { kind, params } = report;
  return isOpen(kind) ? [{ report, kind, params, refuses: participationKinds[kind] === 'refuses' }] : [];
}

/** Returns what selects the cards and links of a report, and brings the first of them into view. */
function useLight() {
  const { view } = useWorkspaceContext();
  const store = useStore();
  return ({ nodeIds, linkIds }: ParticipationReport) => {
    const { nodes, connections } = store.getState().document;
    const [link] = linkIds.flatMap((id) => connections[id] ?? []);
    openGroups(view, store, nodeIds, linkIds);
    const node = nodes[nodeIds[0] ?? ''] ?? nodes[link?.from.agentId ?? ''];
    view.update({ selectedNodes: new Set(nodeIds), selectedLinks: new Set(linkIds) });
    if (node) revealNode(view, node);
  };
}

/** A press on the sentence shows its cards and links on the canvas. */
function Report({ report }: { report: ParticipationReport }) {
  const { kind, params, problem, cures } = report;
  const { t } = useTranslation('participation');
  const problemText = useLateProblemText();
  const { readOnly } = useWorkspaceContext();
  const dispatch = useDispatch();
  const light = useLight();
  const show = () => light(report);
  // Start begins with the selected card.
  const mend = ({ command }: ParticipationCure) => (command.type === 'run.foresee' ? show() : void dispatch(command));
  return (
    <>
      <button type="button" className={styles.sentence} onClick={show}>
        {(problem && problemText(problem)) ?? t(kind, params)}
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
