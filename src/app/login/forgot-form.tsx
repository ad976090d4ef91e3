import { useImmer } from 'use-immer';
import { passwordForgotten } from '../../../contract/account.ts';
import { emailProblem, type LoginProblem } from '../../session/login-problem.ts';
import { useSession } from '../../session/session-provider.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { CircleCheck } from '../../ui/icons/icons.ts';
import { EmailField } from './email-field.tsx';
import { LoginErrorBox } from './login-error-box.tsx';
import type { AccountFormProps } from './login-form.tsx';
import styles from './login-modal.module.css';

type ForgotState = { problem: LoginProblem | null; outcomes: number; sentTo: string | null };

/** Requests an email with a link to set a new password. The answer never tells whether the address is known. R12 */
export function ForgotForm({ email, onEmail }: Omit<AccountFormProps, 'onDone'>) {
  const { t } = useTranslation('auth');
  const { forgotPassword } = useSession();
  const [{ problem, outcomes, sentTo }, update] = useImmer<ForgotState>({ problem: null, outcomes: 0, sentTo: null });
  const form = useZodForm(passwordForgotten, { email });
  const { errors, isSubmitting } = form.formState;

  const submit = async ({ email: address }: { email: string }) => {
    const answer = await forgotPassword(address);
    update((state) => {
      state.sentTo = answer.ok ? address : null;
      state.problem = answer.ok ? null : emailProblem(answer.failure);
      state.outcomes += 1;
    });
  };

  return (
    <Form {...{ form, className: styles.form }} onSubmit={submit}>
      <EmailField
        {...form.register('email', { onChange: (event) => onEmail(event.target.value) })}
        filled={form.watch('email') !== ''}
        wrong={errors.email !== undefined}
      />
      {problem && <LoginErrorBox key={outcomes} problem={problem} title={t('error.forgotTitle')} />}
      <div role="status">
        {sentTo && (
          <section key={outcomes} className={styles.sent}>
            <div>
              <CircleCheck size={20} />
              <div>
                <h3>{t('forgot.sentTitle')}</h3>
                <p>{t('forgot.sentText', { email: sentTo })}</p>
                <p className={styles.help}>{t('forgot.sentHelp')}</p>
              </div>
            </div>
          </section>
        )}
      </div>
      <Button type="submit" variant={sentTo ? 'secondary' : 'primary'} size="xxl" wide busy={isSubmitting}>
        {isSubmitting ? t('forgot.busy') : t(sentTo ? 'forgot.again' : 'forgot.submit')}
      </Button>
    </Form>
  );
}
