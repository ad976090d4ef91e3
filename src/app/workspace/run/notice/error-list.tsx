import type { ValidationProblem } from '../../../../../rules/checked-document.ts';
import { openGroups } from '../../../../canvas/folding/open-groups.ts';
import { type ErrorGroup, groupErrors } from '../../../../model/run/participation/errors-of-run.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { useLateProblemText } from '../../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useDispatch, useStore } from '../../../../workers/bridge/use-workspace.ts';
import { revealNode } from '../../camera/move-camera.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import styles from './taking-part.module.css';

/** The reasons why the next run cannot begin: one line for each with what mends all its cards in one press. D1.42 */
export function ErrorList({ errors }: { errors: readonly ValidationProblem[] }) {
  return (
    <ul className={styles.reports}>
      {groupErrors(errors).map((group) => (
        <li key={group.first.code}>
          <Reason group={group} />
        </li>
      ))}
    </ul>
  );
}

/** A press on the sentence shows its cards and links on the canvas. */
function Reason({ group: { first, count, nodeIds, connectionIds, cure } }: { group: ErrorGroup }) {
  const { t } = useTranslation('workspace');
  const { t: tActions } = useTranslation('actions');
  const problemText = useLateProblemText();
  const dispatch = useDispatch();
  const store = useStore();
  const { view, readOnly } = useWorkspaceContext();
  const show = () => {
    openGroups(view, store, nodeIds, connectionIds);
    const { nodes, connections } = store.getState().document;
    view.update({ selectedNodes: new Set(nodeIds), selectedLinks: new Set(connectionIds) });
    const node = nodes[nodeIds[0] ?? connections[connectionIds[0] ?? '']?.from.agentId ?? ''];
    if (node) revealNode(view, node);
  };
  return (
    <>
      <button type="button" className={styles.sentence} onClick={show}>
        {problemText(first)}
        {count > 1 && ` · ${t('words:andMoreCards', { count: count - 1 })}`}
      </button>
      {!readOnly && cure && (
        <div className={styles.cures}>
          <Button size="s" variant="secondary" data-cure={cure} onClick={() => void dispatch({ type: 'agents.restore' })}>
            {tActions('name.restoreAgents')}
          </Button>
        </div>
      )}
    </>
  );
}
