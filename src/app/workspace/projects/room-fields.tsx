import type { z } from 'zod';
import { stepRoom } from '../../../../contract/step-room.ts';
import { FormText } from '../../../ui/form/form-fields.tsx';
import type { ZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import type { ProjectFields, projectFields } from './project-fields.ts';
import styles from './projects.module.css';

/** The most turns and calls of a step of the project's agents; empty for the usual ones. */
export function RoomFields({ form }: { form: ZodForm<ProjectFields, z.output<typeof projectFields>> }) {
  const { t, language } = useTranslation('projects');
  const field = (name: 'turns' | 'calls', key: 'maxTurns' | 'maxCalls') => (
    <FormText
      {...{ form, name: key }}
      label={t(`form.${name}`)}
      size="xl"
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      placeholder={stepRoom[name].usual.toLocaleString(language)}
      error={t('words:fromOneOrEmpty', { max: stepRoom[name].max.toLocaleString(language) })}
    />
  );
  return (
    <fieldset className={styles.room}>
      <legend>{t('form.room')}</legend>
      {field('turns', 'maxTurns')}
      {field('calls', 'maxCalls')}
    </fieldset>
  );
}
