import { useRef } from 'react';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { usePanels } from '../frame/panels.tsx';
import { AddUserForm } from './add-user-form.tsx';
import { CopyChoice } from './copy-choice.tsx';
import { InviteForm } from './invite-form.tsx';
import { NewAgentForm } from './new-agent-form.tsx';
import { PlanModal } from './plan-modal.tsx';
import { addAgentPlans, buyAgentPlans } from './plans.ts';

/** The windows about the team. W2.19 */
export function Modals() {
  const { t } = useTranslation('modals');
  const { panels, show } = usePanels();
  const { window: shown } = panels;
  const close = () => show({ window: null });
  // The agent stays while the window fades out.
  const role = useRef({ title: '', agentId: '' });
  if (shown?.kind === 'buyAgent') role.current = { title: shown.title, agentId: shown.agentId };
  return (
    <>
      <PlanModal
        open={shown?.kind === 'addAgent'}
        onClose={close}
        plans={addAgentPlans}
        title={t('addAgent.title')}
        text={t('addAgent.text')}
        action={t('addAgent.action')}
      />
      <PlanModal
        open={shown?.kind === 'buyAgent'}
        onClose={close}
        plans={buyAgentPlans}
        title={t('buyAgent.title')}
        text={t('buyAgent.text', { title: role.current.title })}
        action={t('buyAgent.action')}
        before={<CopyChoice {...role.current} onCopied={close} />}
      />
      <Modal open={shown?.kind === 'newAgent'} onClose={close} title={t('words:newAgent')} description={t('newAgent.text')}>
        <NewAgentForm onMade={(settingsAgentId) => show({ window: null, settingsAgentId })} />
      </Modal>
      <Modal open={shown?.kind === 'inviteMember'} onClose={close} title={t('words:inviteMember')} description={t('invite.text')}>
        <InviteForm />
      </Modal>
      <Modal open={shown?.kind === 'addUser'} onClose={close} title={t('addUser.title')} description={t('addUser.text')}>
        <AddUserForm onAdded={() => show({ window: null, sidebar: true })} />
      </Modal>
    </>
  );
}
