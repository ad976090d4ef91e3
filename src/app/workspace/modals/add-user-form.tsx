import { Controller } from 'react-hook-form';
import { v7 } from 'uuid';
import { z } from 'zod';
import { userHue, userHues } from '../../../model/agents/roles.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { RoleTile } from '../../../ui/icons/role-icon.tsx';
import { maxUserNameLength } from '../sidebar/added-users.ts';
import { menuSections } from '../sidebar/menu-sections.ts';
import { type UserKey, userKeys } from '../sidebar/user-menu.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import styles from './modal-form.module.css';

const person = z.object({
  name: z.string().trim().min(1).max(maxUserNameLength),
  role: z.enum(userKeys),
  hue: z.enum(userHues),
});

/** Asks for the name, role and colour of a user card, and adds it to the menu. R30 */
export function AddUserForm({ onAdded }: { onAdded: () => void }) {
  const { t } = useTranslation('modals');
  const { t: word } = useTranslation('workspace');
  const { users } = useWorkspaceContext();
  const { register, control, handleSubmit, watch, setValue, formState } = useZodForm(person, {
    name: '',
    role: 'tester' as UserKey,
    hue: userHue('tester'),
  });
  const { name, role, hue } = watch();

  const submit = handleSubmit((values) => {
    users.add({ id: `user-${v7()}`, ...values });
    // Its row is seen.
    menuSections.choose('users', true);
    onAdded();
  });

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.preview} aria-hidden>
        <RoleTile name="user" hue={hue} size={40} />
        <span>
          <strong>{name.trim() || t('addUser.example')}</strong>
          <small>{word(`user.${role}`)}</small>
        </span>
      </div>
      <TextField
        {...register('name')}
        label={t('words:givenName')}
        size="xl"
        autoComplete="off"
        maxLength={maxUserNameLength}
        required
        error={formState.errors.name && t('addUser.nameRequired')}
      />
      <Controller
        name="role"
        control={control}
        render={({ field }) => (
          <Select
            label={t('words:role')}
            value={field.value}
            options={userKeys.map((key) => ({ value: key, label: word(`user.${key}`) }))}
            onChange={(key) => {
              field.onChange(key);
              // Until another is chosen, the card has the colour of its role.
              if (!formState.dirtyFields.hue) setValue('hue', userHue(key));
            }}
          />
        )}
      />
      <fieldset className={styles.colours}>
        <legend>{t('words:colour')}</legend>
        {userHues.map((value) => (
          <label key={value} className={styles.swatch} data-hue={value} title={t(`addUser.hue.${value}`)}>
            <input {...register('hue')} type="radio" value={value} />
            <span className="visually-hidden">{t(`addUser.hue.${value}`)}</span>
          </label>
        ))}
      </fieldset>
      <Button type="submit" variant="primary" size="xl" wide>
        {t('words:add')}
      </Button>
    </form>
  );
}
