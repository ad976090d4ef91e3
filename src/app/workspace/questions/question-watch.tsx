import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { notify } from './notify.ts';

/** Announces new questions: to screen readers, and by a notification of the browser while the page is hidden. */
export function QuestionWatch() {
  const { t } = useTranslation('workspace');
  const { show } = usePanels();
  const items = useWorkspace((state) => state.questions.items);
  const status = useWorkspace((state) => state.questions.status);
  const known = useRef<ReadonlySet<string> | null>(null);
  const isLinked = useRef(true);
  useEffect(() => {
    // An email leads here with the question in the address, and the app of a phone with all of them.
    const { searchParams, pathname } = new URL(location.href);
    const questionId = searchParams.get('question');
    if (status !== 'ready' || (questionId === null && !searchParams.has('questions')) || !isLinked.current) return;
    isLinked.current = false;
    for (const name of ['question', 'questions']) searchParams.delete(name);
    window.history.replaceState(window.history.state, '', `${pathname}?${searchParams}`);
    show({ window: { kind: 'questions', questionId } });
  }, [status, show]);
  useEffect(() => onNotificationPress((questionId) => show({ window: { kind: 'questions', questionId } })), [show]);
  const [{ words, turn }, setNews] = useState({ words: '', turn: 0 });
  useEffect(() => {
    if (status !== 'ready') return;
    const before = known.current;
    known.current = new Set(items.map(({ id }) => id));
    // Questions that were open before the page are in its list.
    const added = before ? items.filter(({ id }) => !before.has(id)) : [];
    if (added.length === 0) return;
    const texts = added.map(({ title }) => t('questions.opened', { title }));
    setNews((last) => ({ words: texts.slice(0, maxAnnounced).join(' '), turn: last.turn + 1 }));
    for (const [at, { id, task }] of added.entries())
      notify(texts[at] ?? '', task, id, () => show({ window: { kind: 'questions', questionId: id } }));
  }, [items, status, t, show]);
  return (
    <p className="visually-hidden" role="status" data-testid="question-announcer">
      {/* Put there anew each time: a card that asks again would else not be announced. */}
      <span key={turn}>{words}</span>
    </p>
  );
}

/** Questions that open at the same time and are announced; the count says how many there are. */
const maxAnnounced = 3;

/** Calls `onPress` with the question of a notification of the service worker that was pressed. */
function onNotificationPress(onPress: (questionId: string) => void): () => void {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  const listen = ({ data }: MessageEvent<{ questionId: string }>) => onPress(data.questionId);
  workers?.addEventListener('message', listen);
  return () => workers?.removeEventListener('message', listen);
}
