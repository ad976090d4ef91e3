import { useMemo, useRef, useState } from 'react';
import { readCanvasText } from '../../../model/document/read-canvas-text.ts';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { useShowNodes } from '../camera/use-show-node.ts';
import { usePanels, type WorkspaceWindow } from '../frame/panels.tsx';
import { useAskingDispatch } from '../frame/use-asking-dispatch.ts';
import styles from './refused-cards.module.css';

/** Asks whether a file's cards are added or replace the canvas. For an invalid file it lists the problems and imports nothing. */
export function ImportDialog() {
  const { panels, show } = usePanels();
  const shown = panels.window?.kind === 'import' ? panels.window : null;
  // The question stays while the window fades out.
  const last = useRef(shown);
  if (shown) last.current = shown;
  if (!last.current) return null;
  return <Question open={shown !== null} file={last.current} onClose={() => show({ window: null })} />;
}

type Props = { open: boolean; file: Extract<WorkspaceWindow, { kind: 'import' }>; onClose: () => void };

function Question({ open, file, onClose }: Props) {
  const { t } = useTranslation('actions');
  const problemText = useProblemText();
  const dispatch = useAskingDispatch();
  const store = useStore();
  const showNodes = useShowNodes();
  const add = useRef<HTMLButtonElement>(null);
  const [refused, setRefused] = useState<{ file: Props['file']; problem: Problem } | null>(null);
  const read = useMemo(() => readCanvasText(file.text), [file]);
  const problem = read.ok ? (refused?.file === file ? refused.problem : null) : read.error;
  const isEmpty = Object.keys(store.getState().document.nodes).length === 0;
  const take = async (type: 'nodes.paste' | 'canvas.replace') => {
    const outcome = await dispatch({ type, text: file.text });
    if (!outcome.ok) return setRefused({ file, problem: outcome.error });
    onClose();
    showNodes(outcome.value?.nodeIds ?? []);
  };
  const counts = read.ok ? { cards: read.value.nodes.length, links: read.value.connections.length } : null;
  return (
    <Modal
      open={open}
      onClose={onClose}
      size="m"
      initialFocus={add}
      title={t('import.title')}
      description={t('import.file', { name: file.name })}
      footer={
        counts && (
          <>
            {!isEmpty && (
              <Button variant="secondary" onClick={() => void take('canvas.replace')}>
                {t('import.replace')}
              </Button>
            )}
            <Button ref={add} variant="primary" onClick={() => void take('nodes.paste')}>
              {t('words:add')}
            </Button>
          </>
        )
      }
    >
      <div data-testid="import">
        {counts && (
          <p>
            {t('words:cardCount', { count: counts.cards })}, {t('words:linkCount', { count: counts.links })}.{' '}
            {isEmpty ? '' : t('import.where')}
          </p>
        )}
        <ProblemNote problem={problem} />
        {problem?.details && (
          <ul className={styles.list}>
            {problem.details.map((detail, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
              <li key={at}>{problemText(detail)}</li>
            ))}
          </ul>
        )}
      </div>
    </Modal>
  );
}
