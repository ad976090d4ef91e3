import type { ConnectionModel } from '../../../../contract/model-connection.ts';
import { moneyText } from '../../../model/run/cost-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Eye, Wrench } from '../../../ui/icons/icons.ts';
import styles from './models.module.css';

/** The window, the price, and the abilities of a model, as far as they are known. M3.21 */
export function ModelFigures({ model: { context, price, tools, sees } }: { model: ConnectionModel }) {
  const { t, language } = useTranslation('connections');
  const money = (micros: number) => moneyText({ currency: price?.currency ?? 'USD', micros }, language);
  const longPrompt = price?.steps?.[0]?.above;
  const isFree = price?.input === 0 && price.output === 0;
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  return (
    <span className={styles.figures}>
      {context !== undefined && <span>{t('models.context', { tokens: compact.format(context) })}</span>}
      <span>
        {isFree
          ? t('models.free')
          : price
            ? t('models.price', { input: money(price.input), output: money(price.output) })
            : t('words:priceUnknown')}
      </span>
      {longPrompt !== undefined && <span>{t('models.dearer', { tokens: compact.format(longPrompt) })}</span>}
      {tools !== undefined && (
        <span data-missing={!tools || undefined}>
          <Wrench size={12} aria-hidden /> {t(tools ? 'models.tools' : 'models.noTools')}
        </span>
      )}
      {sees && (
        <span>
          <Eye size={12} aria-hidden /> {t('models.sees')}
        </span>
      )}
    </span>
  );
}
