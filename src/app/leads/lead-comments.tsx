import { v7 } from 'uuid';
import { leadCommentCreation } from '../../../contract/lead.ts';
import { useSession } from '../../session/session-provider.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../ui/controls/fields/text-area.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useZodForm } from '../../ui/form/use-zod-form.ts';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { ReadProblem } from '../server-data/read-problem.tsx';
import { useMutation } from '../server-data/use-mutation.ts';
import { useRead } from '../server-data/use-read.ts';
import staff from '../staff/staff-page.module.css';
import styles from './leads.module.css';

const textMaxLength = 2_000;

/** The staff's comments on a request, oldest first, and a field for the next comment. */
export function LeadComments({ leadId }: { leadId: string }) {
  const { t } = useTranslation('leads');
  const { auth } = useSession();
  const moment = useMomentText();
  const form = useZodForm(leadCommentCreation, { text: '' });
  const { errors, isSubmitting } = form.formState;
  const params = { id: leadId };
  const read = useRead('lead.comments', { params });
  const { call, problem } = useMutation({ invalidates: ['lead.comments'] });
  const comments = read.value;

  const submit = async ({ text }: { text: string }) => {
    if (await call('lead.addComment', { params, body: { text }, idempotencyKey: v7() })) form.reset();
  };

  return (
    <section className={styles.comments}>
      <h3>{t('comments.title')}</h3>
      <ReadProblem remote={read} problem={problem} className={staff.problem} />
      {!comments && !read.problem && <Loading className={staff.waiting} text={t('comments.loading')} />}
      {comments?.length === 0 && <p className={staff.waiting}>{t('comments.none')}</p>}
      <ol>
        {comments?.map(({ id, authorId, text, createdAt }) => (
          <li key={id}>
            <small>
              {t(authorId === auth.user?.id ? 'words:you' : 'comments.colleague')}, {moment(createdAt)}
            </small>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <Form {...{ form, className: styles.add }} onSubmit={submit}>
        <TextArea
          {...form.register('text')}
          label={t('words:note')}
          placeholder={t('comments.placeholder')}
          rows={2}
          maxLength={textMaxLength}
          error={errors.text && t('comments.required')}
        />
        <Button type="submit" className={styles.send} busy={isSubmitting}>
          {t('comments.send')}
        </Button>
      </Form>
    </section>
  );
}
