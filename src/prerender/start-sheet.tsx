import { useTranslation } from '../ui/i18n/use-translation.ts';
import { Play } from '../ui/icons/icons.ts';

/** The start button of a waiting demonstration. The script of `begin/begin-demo.ts` handles it and shows its state. */
export function StartSheet() {
  const { t } = useTranslation('workspace');
  return (
    <section className="still-start" aria-label={t('demo.start.label')}>
      <div className="still-start-words">
        <p className="still-start-title">{t('demo.start.title')}</p>
        <p className="still-start-text">{t('demo.start.text')}</p>
      </div>
      <p className="still-start-problem" role="alert" hidden>
        {t('demo.start.problem')}
      </p>
      <button
        type="button"
        className="still-start-button"
        data-waiting={t('demo.start.waiting')}
        data-loading={t('demo.start.loading')}
        data-failed={t('common:tryAgain')}
      >
        <Play size={20} fill="currentColor" />
        <span>{t('demo.start.waiting')}</span>
      </button>
      <a className="still-start-other" href="/public-test?projectId=public-review">
        {t('demo.review')}
      </a>
      <p className="visually-hidden" role="status" />
    </section>
  );
}
