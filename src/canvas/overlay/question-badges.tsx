import { useMemo, useRef } from 'react';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { MessageCircleQuestion } from '../../ui/icons/icons.ts';
import type { CanvasView } from '../canvas-view.ts';
import type { FoldedStore } from '../folding/folded-store.ts';
import { useStoreValue } from '../use-store-value.ts';
import overlay from './canvas-overlay.module.css';
import styles from './question-badges.module.css';
import { useCameraLayer } from './use-camera-layer.ts';

/** Badges are elements of the page: more than this many would slow it down, so only the first are shown. */
const maxBadges = 200;
/** Below this zoom the text of a badge cannot be read. */
const minZoom = 0.3;

const noNodes: CanvasDocument['nodes'] = {};

type Props = { store: FoldedStore; view: CanvasView; onOpen: (questionId: string) => void };

/**
 * A button on each card whose step asks a question. A card that asks several, for items of a list or in a folded group, opens the oldest.
 * One whose person has an address says what became of the letter. D5.12
 */
export function QuestionBadges({ store, view, onOpen }: Props) {
  const { t } = useTranslation('canvas');
  const { t: words } = useTranslation('questions');
  const layer = useRef<HTMLDivElement>(null);
  const questions = useStoreValue(store, (state) => state.questions.items);
  // Without a question no document is read: React would keep it after another has come.
  const nodes = useStoreValue(store, (state) => (questions.length === 0 ? noNodes : state.document.nodes));
  const executionId = useStoreValue(store, (state) => state.run.execution?.id);
  const byNode = useMemo(() => {
    const own = questions.filter((question) => question.executionId === executionId && question.nodeId !== null);
    const shownAs = (nodeId: string) => store.folding?.shownAs(nodeId) ?? nodeId;
    const byShown = [...Map.groupBy(own, ({ nodeId }) => shownAs(nodeId ?? ''))];
    return byShown.filter(([id]) => nodes[id] !== undefined).slice(0, maxBadges);
  }, [store, nodes, questions, executionId]);
  useCameraLayer(layer, view, { minZoom, isEmpty: byNode.length === 0 });
  return (
    <div ref={layer} className={`${overlay.layer} ${styles.layer}`}>
      {byNode.map(([nodeId, asked]) => {
        const node = nodes[nodeId];
        const oldest = asked.at(-1);
        if (!node || !oldest) return null;
        return (
          <button
            key={nodeId}
            type="button"
            className={styles.badge}
            style={{ transform: `translate(${node.x + nodeSize(node).width / 2}px, ${node.y}px)` }}
            data-canvas-control="hover"
            data-question-badge={nodeId}
            onClick={() => onOpen(oldest.id)}
          >
            <MessageCircleQuestion size={14} aria-hidden />
            <span>{asked.length > 1 ? t('question.badges', { count: asked.length }) : t('question.badge')}</span>
            <span className="visually-hidden">: {oldest.title}</span>
            {oldest.letter && (
              <span className={styles.letter} data-letter={oldest.letter.state} title={oldest.letter.to}>
                {words(`letterOnCard.${oldest.letter.state}`)}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}
