import { openAiProtocol } from './openai-protocol.ts';
import type { Protocol } from './protocol.ts';

/** Chat completions of Yandex Cloud, whose errors carry gRPC codes. */
export const yandexProtocol: Protocol = {
  ...openAiProtocol,
  refusal: (status, message) => ({ error: { grpcCode: 16, httpCode: status, message, httpStatus: 'Scripted', details: [] } }),
};
