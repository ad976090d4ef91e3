import type { z } from 'zod';
import { type Project, projectNameMaxLength, projectStatuses } from '../../../../contract/project.ts';
import { Form } from '../../../ui/form/form.tsx';
import { FormSelect, FormText, FormTextArea } from '../../../ui/form/form-fields.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useSend } from '../frame/use-send.ts';
import { fieldsOf, projectFields } from './project-fields.ts';
import styles from './projects.module.css';
import { RoomFields } from './room-fields.tsx';

type ProjectFormProps = {
  /** Null for a new project. */
  project: Project | null;
  /** Called with the id of a new project; with null after a change. */
  onDone: (madeId: string | null) => void;
};

/** Name, description and status of a project; a new one is active. */
export function ProjectForm({ project, onDone }: ProjectFormProps) {
  const { t } = useTranslation('projects');
  const { send, problem } = useSend((saved) => onDone(project ? null : (saved?.projectId ?? null)));
  const form = useZodForm(projectFields, fieldsOf(project));

  const submit = ({ name, description, status, maxTurns, maxCalls }: z.output<typeof projectFields>) =>
    send(
      project
        ? { type: 'project.update', id: project.id, name, description, maxTurns, maxCalls, ...(status !== project.status && { status }) }
        : { type: 'project.create', name, description },
    );

  return (
    <Form
      {...{ form, problem, size: 'xl', wide: true, className: styles.form }}
      onSubmit={submit}
      submit={t(project ? 'words:save' : 'form.create')}
    >
      <FormText
        {...{ form, name: 'name', size: 'xl', autoComplete: 'off', maxLength: projectNameMaxLength, required: true }}
        label={t('words:name')}
        placeholder={t('form.nameExample')}
        error={t('form.nameRequired')}
      />
      <FormTextArea {...{ form, name: 'description', rows: 3 }} label={t('words:description')} placeholder={t('form.descriptionExample')} />
      {project && (
        <FormSelect
          {...{ form, name: 'status' }}
          label={t('words:status')}
          options={projectStatuses.map((status) => ({ value: status, label: t(`status.${status}`) }))}
        />
      )}
      {project && <RoomFields form={form} />}
    </Form>
  );
}
