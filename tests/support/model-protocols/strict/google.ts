import { allowOnly, refuseUnless, result, type StrictProvider } from './strict-provider.ts';
import { eventsOf, Refused } from './strict-server.ts';

const told = (message: string, code = 400, status = 'INVALID_ARGUMENT') => [{ error: { code, message, status } }];
const thoughtSignature = 'CsgBAXLI2nz+signed==';
const usageMetadata = {
  promptTokenCount: 20,
  candidatesTokenCount: 4,
  thoughtsTokenCount: 6,
  totalTokenCount: 30,
  cachedContentTokenCount: 8,
};
const piece = (parts: object[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }],
  ...{ usageMetadata, modelVersion: 'gemini-3-pro-preview', responseId: 'r1' },
});

/** Gemini with signatures: the signature of a call must come back with it. */
export const gemini: StrictProvider = {
  ...{ name: 'Gemini with signatures', provider: 'google', model: 'gemini-3-pro-preview', address: 'HOST', thoughts: 'I need the file.' },
  wantsBack: 'missing a thought_signature',
  answer({ path, query, headers, body }) {
    refuseUnless(
      path === '/v1beta/models/gemini-3-pro-preview:streamGenerateContent' && query.get('alt') === 'sse',
      404,
      told('Not found.', 404, 'NOT_FOUND'),
    );
    refuseUnless(headers['x-goog-api-key'] === 'key-0123456789', 401, told('API key not valid.', 401, 'UNAUTHENTICATED'));
    const unknown = (name: string) => new Refused(400, told(`Invalid JSON payload received. Unknown name "${name}": Cannot find field.`));
    allowOnly(body, ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig'], unknown);
    allowOnly(body.generationConfig ?? {}, ['temperature', 'maxOutputTokens', 'thinkingConfig'], unknown);
    const said = body.contents.find(({ role }: { role: string }) => role === 'model')?.parts;
    if (!said) {
      const call = { functionCall: { name: 'read_file', args: { path: 'a.txt' } }, thoughtSignature };
      return { body: eventsOf(piece([{ text: 'I need the file.', thought: true }]), piece([call]), piece([{ text: '' }], 'STOP')) };
    }
    const call = said.find((part: { functionCall?: object }) => part.functionCall);
    refuseUnless(
      call?.thoughtSignature === thoughtSignature,
      400,
      told('Function call is missing a thought_signature in functionCall parts.'),
    );
    const heard = body.contents.at(-1).parts[0]?.functionResponse;
    refuseUnless(
      heard?.name === 'read_file' && JSON.stringify(heard.response).includes(result),
      400,
      told('Please ensure that the number of function response parts is equal.'),
    );
    return { body: eventsOf(piece([{ text: 'It says ' }]), piece([{ text: 'hello.' }], 'STOP')) };
  },
};
