import { isStepCard } from '../../../../rules/card.ts';
import type { Notice } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePlace } from '../sidebar/use-place.ts';

/** A card that was linked to itself is to work again. For that it needs another card that reviews it: the ready pattern has both links. */
export function LoopInstead({ notice: { id, nodeIds: [nodeId = ''] = [] } }: { notice: Notice }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const place = usePlace();
  const isStep = useWorkspace(({ document: { nodes } }) => nodes[nodeId] !== undefined && isStepCard(nodes[nodeId]));
  if (!isStep) return null;
  const onClick = () => {
    void dispatch({ type: 'notice.dismiss', id });
    place({ kind: 'pattern', patternId: 'review' }, undefined, nodeId);
  };
  return (
    <Button size="xs" onClick={onClick}>
      {t('banner.reviewLoop')}
    </Button>
  );
}
