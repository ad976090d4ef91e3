import { z } from 'zod';
import { agentRoles, roleHue } from '../../../model/agents/roles.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { FormSelect, FormText } from '../../../ui/form/form-fields.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { RoleTile } from '../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../ui/icons/role-icon-name.ts';
import { usePanels } from '../frame/panels.tsx';
import { useSend } from '../frame/use-send.ts';
import styles from './modal-form.module.css';

const limits = { title: 120, description: 300 } as const;
const newAgent = z.object({
  title: z.string().trim().min(1).max(limits.title),
  role: z.enum(agentRoles),
  description: z.string().trim().max(limits.description),
});

/** Asks for a new agent's title and role, and creates it; its settings open next. The plans come second. R37 */
export function NewAgentForm({ onMade }: { onMade: (agentId: string) => void }) {
  const { t } = useTranslation('modals');
  const { show } = usePanels();
  const { send, problem } = useSend();
  const form = useZodForm(newAgent, {
    title: '',
    role: 'Developer' as (typeof agentRoles)[number],
    description: '',
  });
  const { title, role } = form.watch();

  const submit = async (words: z.output<typeof newAgent>) => {
    const made = await send({ type: 'agent.create', ...words });
    // If the window was closed meanwhile, the focus stays where it is.
    if (made?.value?.agentId) onMade(made.value.agentId);
  };

  return (
    <Form
      {...{ form, problem, size: 'xl', wide: true, className: styles.form }}
      onSubmit={submit}
      submit={t('newAgent.action')}
      more={
        <Button variant="ghost" wide onClick={() => show({ window: { kind: 'addAgent' } })}>
          {t('newAgent.byPlan')}
        </Button>
      }
    >
      <div className={styles.preview} aria-hidden>
        <RoleTile name={roleIconName(role)} hue={roleHue(role)} size={40} />
        <span>
          <strong>{title.trim() || t('newAgent.example')}</strong>
          <small>{t(`newAgent.roles.${role}`)}</small>
        </span>
      </div>
      <FormText
        {...{ form, name: 'title', size: 'xl', autoComplete: 'off', maxLength: limits.title, required: true }}
        label={t('words:givenName')}
        error={t('newAgent.nameRequired')}
      />
      <FormSelect
        {...{ form, name: 'role' }}
        label={t('words:role')}
        options={agentRoles.map((value) => ({ value, label: t(`newAgent.roles.${value}`) }))}
      />
      <FormText
        {...{ form, name: 'description', size: 'xl', autoComplete: 'off', maxLength: limits.description }}
        label={t('newAgent.description')}
        hint={t('newAgent.descriptionHint')}
      />
    </Form>
  );
}
