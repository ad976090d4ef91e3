import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm } from 'react-hook-form';
import { type Project, projectNameMaxLength, projectStatuses } from '../../../../contract/project.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useSend } from '../use-send.ts';
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
  const { register, control, handleSubmit, formState } = useForm({
    resolver: zodResolver(projectFields),
    defaultValues: fieldsOf(project),
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ name, description, status, maxTurns, maxCalls }) => {
    await send(
      project
        ? { type: 'project.update', id: project.id, name, description, maxTurns, maxCalls, ...(status !== project.status && { status }) }
        : { type: 'project.create', name, description },
    );
  });

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        {...register('name')}
        label={t('words:name')}
        size="xl"
        autoComplete="off"
        placeholder={t('form.nameExample')}
        maxLength={projectNameMaxLength}
        required
        error={errors.name && t('form.nameRequired')}
      />
      <TextArea {...register('description')} label={t('words:description')} placeholder={t('form.descriptionExample')} rows={3} />
      {project && (
        <Controller
          name="status"
          control={control}
          render={({ field }) => (
            <Select
              label={t('words:status')}
              value={field.value}
              options={projectStatuses.map((status) => ({ value: status, label: t(`status.${status}`) }))}
              onChange={field.onChange}
            />
          )}
        />
      )}
      {project && <RoomFields register={register} wrong={{ maxTurns: Boolean(errors.maxTurns), maxCalls: Boolean(errors.maxCalls) }} />}
      <ProblemNote problem={problem} className={styles.refused} />
      <Button type="submit" variant="primary" size="xl" wide busy={isSubmitting}>
        {t(project ? 'words:save' : 'form.create')}
      </Button>
    </form>
  );
}
