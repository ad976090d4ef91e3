import { useRef } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { usePanels } from '../frame/panels.tsx';

/** Asks what copied cards get where the account has no room for an agent of each. R37 */
export function AgentRoom() {
  const { t } = useTranslation('workspace');
  const { panels } = usePanels();
  const problemText = useProblemText();
  const asked = panels.window?.kind === 'agentRoom' ? panels.window : null;
  // The text stays while the window fades out.
  const last = useRef(asked);
  if (asked) last.current = asked;
  const shown = last.current;
  if (!shown) return null;
  const room = Number(shown.problem.params?.room ?? 0);
  return (
    <Modal
      open={asked !== null}
      onClose={() => shown.choose(null)}
      size="m"
      title={t('agentRoom.title')}
      description={problemText(shown.problem)}
      footer={
        <>
          <Button onClick={() => shown.choose('none')}>{t('agentRoom.none')}</Button>
          {room > 0 && (
            <Button variant="primary" onClick={() => shown.choose('some')}>
              {t('agentRoom.some', { count: room })}
            </Button>
          )}
        </>
      }
    >
      <p>{t('agentRoom.text')}</p>
    </Modal>
  );
}
