import { z } from 'zod';
import { type HookCreation, hookEvents } from '../../../contract/hook.ts';
import { CheckedLine } from '../../ui/controls/fields/check-list.tsx';
import { Form } from '../../ui/form/form.tsx';
import { FormCheckList, FormText } from '../../ui/form/form-fields.tsx';
import { useZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { NewItem } from '../api-list/new-item.tsx';

const urlMaxLength = 2_000;
const newHook = z.object({
  url: z.string().refine((url) => /^https?:$/.test(URL.parse(url.trim())?.protocol ?? '')),
  events: z.array(z.enum(hookEvents)).min(1),
  withTexts: z.boolean(),
});

type NewHookProps = { isBusy: boolean; onCreate: (creation: HookCreation) => Promise<boolean> };

/** The button and the form of a new hook. Resolves `onCreate` with whether the hook was created: the form stays if not. */
export function NewHook({ isBusy, onCreate }: NewHookProps) {
  const { t } = useTranslation('connect');
  return (
    <NewItem label={t('new.open')}>
      {(close) => <HookForm isBusy={isBusy} onCancel={close} onCreate={async (creation) => void ((await onCreate(creation)) && close())} />}
    </NewItem>
  );
}

type HookFormProps = { isBusy: boolean; onCancel: () => void; onCreate: (creation: HookCreation) => Promise<void> };

function HookForm({ isBusy, onCancel, onCreate }: HookFormProps) {
  const { t } = useTranslation('connect');
  const form = useZodForm(newHook, { url: '', events: ['run.ended', 'question.opened'], withTexts: false });
  return (
    <Form form={form} onSubmit={onCreate} submit={t('new.create')} isBusy={isBusy} onCancel={onCancel}>
      <FormText
        {...{ form, name: 'url', type: 'url', maxLength: urlMaxLength, autoFocus: true }}
        label={t('new.url')}
        hint={t('new.urlHint')}
        error={t('new.urlWrong')}
      />
      <FormCheckList
        {...{ form, name: 'events' }}
        legend={t('new.events')}
        options={hookEvents.map((value) => ({ value, label: t(`event.${value}`) }))}
        error={t('new.eventMissing')}
      />
      <CheckedLine
        label={t('new.texts')}
        text={t('new.textsHint')}
        checked={form.watch('withTexts')}
        onToggle={(isOn) => form.setValue('withTexts', isOn)}
      />
    </Form>
  );
}
