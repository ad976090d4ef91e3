import type { UseFormRegister } from 'react-hook-form';
import { stepRoom } from '../../../../contract/step-room.ts';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import type { ProjectFields } from './project-fields.ts';
import styles from './projects.module.css';

type RoomFieldsProps = { register: UseFormRegister<ProjectFields>; wrong: { maxTurns: boolean; maxCalls: boolean } };

/** The most turns and calls of a step of the project's agents; empty for the usual ones. */
export function RoomFields({ register, wrong }: RoomFieldsProps) {
  const { t, language } = useTranslation('projects');
  const field = (name: 'turns' | 'calls', key: 'maxTurns' | 'maxCalls') => (
    <TextField
      {...register(key)}
      label={t(`form.${name}`)}
      size="xl"
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      placeholder={stepRoom[name].usual.toLocaleString(language)}
      error={wrong[key] ? t('words:fromOneOrEmpty', { max: stepRoom[name].max.toLocaleString(language) }) : undefined}
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
