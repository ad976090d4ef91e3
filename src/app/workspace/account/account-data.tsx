import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleCheck } from '../../../ui/icons/icons.ts';
import styles from './account.module.css';
import own from './account-data.module.css';
import { DeleteAccount } from './delete-account.tsx';
import { ExportButton, useExportState } from './export-button.tsx';
import { FormProblem } from './form-problem.tsx';

/** What the account has stored: its export and its deletion. G8.06, G8.07 */
export function AccountData() {
  const { t } = useTranslation('account-data');
  const [exported, setExported] = useExportState();
  return (
    <div className={own.parts}>
      <section className={own.part}>
        <h3 className={own.title}>{t('export.title')}</h3>
        <p className={styles.note}>{t('export.text')}</p>
        <div className={styles.act}>
          <ExportButton state={exported} onState={setExported} />
        </div>
        <FormProblem failure={exported.kind === 'failed' ? exported.failure : null} />
        <p className={styles.done} role="status">
          {exported.kind === 'started' && (
            <>
              <CircleCheck size={16} aria-hidden />
              {t('export.started')}
            </>
          )}
        </p>
      </section>
      <DeleteAccount />
    </div>
  );
}
