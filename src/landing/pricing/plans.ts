export type PlanKey = 'starter' | 'team' | 'pro' | 'enterprise';

type Feature =
  | { text: 'trial' | 'users' | 'projects' | 'agents'; count: number }
  | { text: 'solo' | 'anyProjects' | 'prompts' | 'terms' | 'sla' | 'integrations' };

export type Plan = {
  key: PlanKey;
  /** The price of a month in whole dollars and whole roubles; neither is computed from the other. */
  price: { usd: number; rub: number };
  /** A starting price. */
  custom: boolean;
  recommended: boolean;
  features: readonly Feature[];
};

const trialDays = 14;

export const plans: readonly Plan[] = [
  {
    key: 'starter',
    price: { usd: 299, rub: 24_067 },
    custom: false,
    recommended: false,
    features: [{ text: 'trial', count: trialDays }, { text: 'solo' }, { text: 'agents', count: 3 }],
  },
  {
    key: 'team',
    price: { usd: 499, rub: 51_827 },
    custom: false,
    recommended: true,
    features: [{ text: 'users', count: 5 }, { text: 'projects', count: 5 }, { text: 'agents', count: 6 }, { text: 'prompts' }],
  },
  {
    key: 'pro',
    price: { usd: 899, rub: 72_361 },
    custom: false,
    recommended: false,
    features: [{ text: 'users', count: 20 }, { text: 'anyProjects' }, { text: 'agents', count: 20 }, { text: 'prompts' }],
  },
  {
    key: 'enterprise',
    price: { usd: 2_499, rub: 201_225 },
    custom: true,
    recommended: false,
    features: [{ text: 'terms' }, { text: 'sla' }, { text: 'integrations' }],
  },
];

/** Formats a plan's price for the language: dollars in English, roubles in Russian. */
export function planPrice({ price }: Plan, language: 'ru' | 'en'): string {
  const currency = language === 'ru' ? 'RUB' : 'USD';
  const amount = language === 'ru' ? price.rub : price.usd;
  return new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 0 }).format(amount);
}
