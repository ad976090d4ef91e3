import { v7 } from 'uuid';
import { z } from 'zod';
import { userHue, userHues } from '../../../model/agents/roles.ts';
import { Form } from '../../../ui/form/form.tsx';
import { FormSelect, FormText } from '../../../ui/form/form-fields.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { RoleTile } from '../../../ui/icons/role-icon.tsx';
import { maxUserNameLength, type UserKey, userKeys } from '../frame/added-users.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { menuSections } from '../sidebar/menu-sections.ts';
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
  const form = useZodForm(person, {
    name: '',
    role: 'tester' as UserKey,
    hue: userHue('tester'),
  });
  const { dirtyFields } = form.formState;
  const { name, role, hue } = form.watch();

  const submit = (values: z.output<typeof person>) => {
    users.add({ id: `user-${v7()}`, ...values });
    // Its row is seen.
    menuSections.choose('users', true);
    onAdded();
  };

  return (
    <Form {...{ form, size: 'xl', wide: true, className: styles.form }} onSubmit={submit} submit={t('words:add')}>
      <div className={styles.preview} aria-hidden>
        <RoleTile name="user" hue={hue} size={40} />
        <span>
          <strong>{name.trim() || t('addUser.example')}</strong>
          <small>{word(`user.${role}`)}</small>
        </span>
      </div>
      <FormText
        {...{ form, name: 'name', size: 'xl', autoComplete: 'off', maxLength: maxUserNameLength, required: true }}
        label={t('words:givenName')}
        error={t('addUser.nameRequired')}
      />
      <FormSelect
        {...{ form, name: 'role' }}
        label={t('words:role')}
        options={userKeys.map((key) => ({ value: key, label: word(`user.${key}`) }))}
        // Until another is chosen, the card has the colour of its role.
        onEdit={(key) => !dirtyFields.hue && form.setValue('hue', userHue(key as UserKey))}
      />
      <fieldset className={styles.colours}>
        <legend>{t('words:colour')}</legend>
        {userHues.map((value) => (
          <label key={value} className={styles.swatch} data-hue={value} title={t(`addUser.hue.${value}`)}>
            <input {...form.register('hue')} type="radio" value={value} />
            <span className="visually-hidden">{t(`addUser.hue.${value}`)}</span>
          </label>
        ))}
      </fieldset>
    </Form>
  );
}
