import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import type { ConnectionFormOf } from './connection-draft.ts';
import styles from './connections.module.css';
import { connectedProviders, providerFacts } from './provider-facts.ts';

/** The providers, each with what its keys look like, or the address at which it usually runs. M3.23 */
export function ProviderChoice({ form }: { form: ConnectionFormOf }) {
  const { t } = useTranslation('connections');
  return (
    <fieldset className={styles.providers}>
      <legend>{t('provider')}</legend>
      {connectedProviders.map((provider) => {
        const { keyExample, address, addressExample } = providerFacts[provider];
        return (
          <label key={provider} className={styles.provider} data-wide={provider === 'compatible' || undefined}>
            <input type="radio" value={provider} {...form.register('provider', { deps: ['address', 'apiKey'] })} />
            <span>{t(`agent.providers.${provider}`)}</span>
            <small>{address === 'may' ? new URL(addressExample).host : keyExample}</small>
          </label>
        );
      })}
    </fieldset>
  );
}
