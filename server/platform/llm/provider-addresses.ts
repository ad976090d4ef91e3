/** The default address of each provider. */
export const providerAddresses = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gigachat: 'https://gigachat.devices.sberbank.ru/api/v1',
  yandexgpt: 'https://llm.api.cloud.yandex.net/v1',
} as const;
