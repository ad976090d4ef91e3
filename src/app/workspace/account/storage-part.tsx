import type { StorageUse } from '../../../../contract/storage.ts';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Loading, LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { useRead } from '../../server-data/use-read.ts';
import { AmountBar } from '../marks/amount-bar.tsx';
import { FreeStorage } from './free-storage.tsx';
import styles from './storage.module.css';

const mebibyte = 1024 * 1024;

/** What the account stores, what takes the most, and how to free it. G8.05 */
export function StoragePart() {
  const { t } = useTranslation('storage');
  const problemText = useProblemText();
  const { value, problem, again } = useRead('storage.get', {});
  if (problem)
    return <LoadProblem className={styles.storage} text={problemText(problem)} size="m" retry={t('words:repeat')} onRetry={again} />;
  if (!value) return <Loading className={styles.muted} text={t('loading')} />;
  return (
    <div className={styles.storage} data-testid="storage">
      <Total use={value} />
      <Kinds use={value} />
      <dl className={styles.counts}>
        {(['projects', 'pipelines'] as const).map((what) => (
          <div key={what}>
            <dt>{t(what)}</dt>
            <dd>
              <Count {...value[what]} />
            </dd>
          </div>
        ))}
      </dl>
      <FreeStorage onFreed={again} />
    </div>
  );
}

function Total({ use: { usedBytes, limitBytes, state } }: { use: StorageUse }) {
  const { t, language } = useTranslation('storage');
  const number = (bytes: number) => (bytes / mebibyte).toLocaleString(language, { maximumFractionDigits: 1 });
  const used = number(usedBytes);
  if (limitBytes === null) return <p className={styles.total}>{t('usedUnlimited', { used })}</p>;
  return (
    <div>
      <p className={styles.total}>{t('used', { used, limit: number(limitBytes) })}</p>
      <AmountBar state={state} used={Math.min(1, usedBytes / limitBytes)} className={styles.bar} />
      {state !== 'calm' && (
        <p role="status" className={styles.warning}>
          {t(state)}
        </p>
      )}
    </div>
  );
}

/** The most kinds that are named; the others are summed up. */
const namedKinds = 3;

/** What takes the most, the largest first. */
function Kinds({ use: { kinds, eventsKeptDays } }: { use: StorageUse }) {
  const { t, language } = useTranslation('storage');
  const sizeOf = (bytes: number) =>
    bytes < mebibyte / 10 ? t('sizeSmall') : t('size', { size: (bytes / mebibyte).toLocaleString(language, { maximumFractionDigits: 1 }) });
  const largest = kinds.filter(({ bytes }) => bytes > 0).toSorted((one, other) => other.bytes - one.bytes);
  const others = largest.splice(namedKinds);
  return (
    <section aria-label={t('what')}>
      <h3>{t('what')}</h3>
      <ul className={styles.kinds}>
        {largest.map(({ kind, bytes }) => (
          <li key={kind}>
            <span className={styles.words}>
              <span>{t(`kinds.${kind}`)}</span>
              <span className={styles.size}>{sizeOf(bytes)}</span>
            </span>
            <small className={styles.muted}>{t(`cure.${kind}`, { count: eventsKeptDays })}</small>
          </li>
        ))}
        {others.length > 0 && (
          <li className={styles.words}>
            <span>{t('others', { names: new Intl.ListFormat(language).format(others.map(({ kind }) => t(`kinds.${kind}`))) })}</span>
            <span className={styles.size}>{sizeOf(others.reduce((sum, { bytes }) => sum + bytes, 0))}</span>
          </li>
        )}
      </ul>
    </section>
  );
}

function Count({ count, limit }: { count: number; limit: number }) {
  const { t, language } = useTranslation('storage');
  return t('common:countOfLimit', { count: count.toLocaleString(language), limit: limit.toLocaleString(language) });
}
