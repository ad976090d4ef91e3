import type { InstallNeeds } from '../../../../contract/runner.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { VisibleText } from '../console/files/visible-text.tsx';
import styles from './questions.module.css';

/** The hosts that an install step asks for, with what wants each, as far as it is known. */
export function InstallFields({ needs: { step, hosts } }: { needs: InstallNeeds }) {
  const { t } = useTranslation('questions');
  return (
    <>
      <dl className={styles.values} data-testid="asked-hosts">
        {hosts.map(({ host, wantedBy }) => (
          <div key={host}>
            <dt>
              <bdi>{host}</bdi>
            </dt>
            <dd>{wantedBy.length > 0 ? <VisibleText text={t('hostFor', { names: wantedBy.join(', ') })} /> : t('hostForUnknown')}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.place}>
        {t('installStep')}:{' '}
        <code>
          <VisibleText text={step} />
        </code>
      </p>
    </>
  );
}
