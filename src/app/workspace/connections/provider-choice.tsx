import { useId } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import styles from './connections.module.css';
import { type ConnectedProvider, connectedProviders, providerFacts } from './provider-facts.ts';

type ProviderChoiceProps = { value: ConnectedProvider; onChange: (provider: ConnectedProvider) => void };

/** The providers, each with what its keys look like, or the address at which it usually runs. M3.23 */
export function ProviderChoice({ value, onChange }: ProviderChoiceProps) {
  const { t } = useTranslation('connections');
  const name = useId();
  return (
    <fieldset className={styles.providers}>
      <legend>{t('provider')}</legend>
      {connectedProviders.map((provider) => {
        const { keyExample, address, addressExample } = providerFacts[provider];
        return (
          <label key={provider} className={styles.provider} data-wide={provider === 'compatible' || undefined}>
            <input type="radio" name={name} value={provider} checked={provider === value} onChange={() => onChange(provider)} />
            <span>{t(`agent.providers.${provider}`)}</span>
            <small>{address === 'may' ? new URL(addressExample).host : keyExample}</small>
          </label>
        );
      })}
    </fieldset>
  );
}
