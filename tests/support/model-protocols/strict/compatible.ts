import { answered, callChunks, chatCall, chatFields, chunk, counted, earlierTurn } from './openai.ts';
import { allowOnly, refuseUnless, type StrictProvider } from './strict-provider.ts';
import { eventsOf, Refused } from './strict-server.ts';

const told = (message: string, more: object = {}) => ({ error: { message, ...more } });
const path = '/v1/chat/completions';
const usual = ['model', 'messages', 'tools', 'stream', 'temperature', 'max_tokens'];
const thought = 'I need the file.';

/** Thinking of DeepSeek must come back with its call. */
export const deepSeek: StrictProvider = {
  ...{
    name: 'DeepSeek',
    provider: 'deepseek',
    model: 'deepseek-reasoner',
    address: 'HOST',
    thoughts: thought,
    wantsBack: 'Missing `reasoning_content`',
  },
  answer({ body, ...asked }) {
    refuseUnless(asked.path === path, 404, told('Not Found'));
    allowOnly(
      body,
      [...usual, 'stream_options', 'thinking'],
      (name) => new Refused(422, told(`Failed to deserialize the JSON body: unknown field \`${name}\``)),
    );
    const said = earlierTurn(body);
    if (said) {
      refuseUnless(
        said.reasoning_content === thought,
        400,
        told('Missing `reasoning_content` field in the assistant message at message index 2.'),
      );
      return { body: answered(counted) };
    }
    const usage = {
      prompt_tokens: 20,
      completion_tokens: 10,
      prompt_cache_hit_tokens: 8,
      completion_tokens_details: { reasoning_tokens: 6 },
    };
    const thinking = [
      chunk({ role: 'assistant', content: null, reasoning_content: '' }),
      chunk({ reasoning_content: 'I need ' }),
      chunk({ reasoning_content: 'the file.' }),
    ];
    return { body: eventsOf(...thinking, ...callChunks(), { choices: [], usage }, '[DONE]') };
  },
};

/** Mistral tells its thinking as parts of the content, and refuses each field that it does not know. */
export const mistral: StrictProvider = {
  ...{ name: 'Mistral with parts', provider: 'mistral', model: 'magistral-medium-latest', address: 'HOST/v1/', thoughts: thought },
  ...{ wantsBack: 'thinking', requests: 2 },
  answer({ body, ...asked }) {
    refuseUnless(asked.path === path, 404, { detail: 'Not Found' });
    const extra = (loc: string[]) =>
      new Refused(422, {
        detail: [{ type: 'extra_forbidden', loc: ['body', ...loc], msg: 'Extra inputs are not permitted', input: true }],
      });
    allowOnly(body, usual, (name) => extra([name]));
    for (const [at, message] of body.messages.entries())
      allowOnly(message, ['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'prefix'], (name) =>
        extra(['messages', String(at), name]),
      );
    const said = earlierTurn(body, 'D681PevKs');
    if (said) {
      refuseUnless(said.content?.[0]?.thinking?.[0]?.text === thought, 400, {
        object: 'error',
        message: 'The thinking of the turn is missing.',
        code: '3051',
      });
      return {
        body: eventsOf(
          chunk({ role: 'assistant', content: [{ type: 'text', text: 'It says ' }] }),
          chunk({ content: 'hello.' }),
          { ...chunk({ content: '' }, 'stop'), usage: counted.usage },
          '[DONE]',
        ),
      };
    }
    const part = (text: string) => chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }], closed: true }] });
    const call = { ...chunk({ content: '', tool_calls: [chatCall('D681PevKs')] }, 'tool_calls'), usage: counted.usage };
    return { body: eventsOf(part('I need '), part('the file.'), call, '[DONE]') };
  },
};

/** Ollama needs no key, and tells its thinking in a field of its own. */
export const ollama: StrictProvider = {
  ...{ name: 'Ollama', provider: 'ollama', model: 'qwen3', address: 'HOST/api/chat', thoughts: thought, wantsBack: null },
  answer({ body, ...asked }) {
    refuseUnless(asked.path === path, 404, '404 page not found');
    refuseUnless(
      body.messages.every(({ content }: { content: unknown }) => content === null || typeof content === 'string'),
      400,
      told('invalid message content type', { type: 'invalid_request_error' }),
    );
    if (earlierTurn(body)) return { body: answered(counted) };
    return {
      body: eventsOf(
        chunk({ role: 'assistant', content: '', reasoning: 'I need ' }),
        chunk({ content: '', reasoning: 'the file.' }),
        ...callChunks(),
        counted,
        '[DONE]',
      ),
    };
  },
};

const details = [{ type: 'reasoning.encrypted', data: 'gAAAA-of-openai==', id: 'rs_1', format: 'openai-responses-v1', index: 0 }];

/** OpenRouter sends comments while it waits, and wants the details of the reasoning back. */
export const openRouter: StrictProvider = {
  ...{
    name: 'OpenRouter',
    provider: 'openrouter',
    model: 'openai/gpt-5.1',
    address: 'HOST/api/v1',
    thoughts: thought,
    wantsBack: 'reasoning_details',
  },
  answer({ body, ...asked }) {
    refuseUnless(asked.path === '/api/v1/chat/completions', 404, told('Not Found', { code: 404 }));
    refuseUnless(
      asked.headers['http-referer'] === 'https://artel.example',
      400,
      told('The header of the connection is missing.', { code: 400 }),
    );
    refuseUnless(body.provider?.order?.[0] === 'openai', 400, told('The field of the connection is missing.', { code: 400 }));
    allowOnly(body, [...chatFields, 'provider', 'usage'], (name) => new Refused(400, told(`Unrecognized key: "${name}"`, { code: 400 })));
    const said = earlierTurn(body);
    if (said) {
      refuseUnless(
        JSON.stringify(said.reasoning_details) === JSON.stringify(details),
        400,
        told('The reasoning_details of the turn are missing.', { code: 400 }),
      );
      return { body: `: OPENROUTER PROCESSING\n\n${answered(counted)}` };
    }
    const thinking = chunk({ role: 'assistant', content: '', reasoning: thought, reasoning_details: details });
    return { body: `: OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n${eventsOf(thinking, ...callChunks(), counted, '[DONE]')}` };
  },
};

/** LiteLLM says in its own words what the model behind it does not take. */
export const liteLlm: StrictProvider = {
  ...{ name: 'LiteLLM', provider: 'compatible', model: 'our-best', address: 'HOST', thoughts: null, wantsBack: null, requests: 2 },
  answer({ body, ...asked }) {
    refuseUnless(asked.path === path, 404, { detail: 'Not Found' });
    const message = "litellm.UnsupportedParamsError: gpt-5 models don't support temperature=0.7. Only temperature=1 is supported.";
    refuseUnless(body.temperature === undefined, 400, told(message, { type: 'None', param: 'None', code: '400' }));
    if (earlierTurn(body)) return { body: answered(counted) };
    return { body: eventsOf(...callChunks(), counted, '[DONE]') };
  },
};

/** Azure: a deployment in the path, a version in the query, the key in a header of its own, and results of its filter first. */
export const azure: StrictProvider = {
  ...{ name: 'Azure', provider: 'azure', model: 'my-deployment', thoughts: null, wantsBack: null, requests: 2 },
  address: 'HOST/openai/deployments/my-deployment/chat/completions?api-version=2025-04-01-preview',
  answer({ body, query, headers, ...asked }) {
    const isAddress =
      asked.path === '/openai/deployments/my-deployment/chat/completions' && query.get('api-version') === '2025-04-01-preview';
    refuseUnless(isAddress, 404, told('Resource not found', { code: '404' }));
    refuseUnless(
      headers['api-key'] === 'key-0123456789' && headers.authorization === undefined,
      401,
      told('Access denied due to invalid subscription key.', { code: '401' }),
    );
    refuseUnless(
      body.max_tokens === undefined,
      400,
      told("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", {
        param: 'max_tokens',
        code: 'unsupported_parameter',
      }),
    );
    const filtered = {
      choices: [],
      created: 0,
      id: '',
      model: '',
      object: '',
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
    };
    if (earlierTurn(body)) return { body: eventsOf(filtered) + answered(counted) };
    return { body: eventsOf(filtered, chunk({ role: 'assistant', content: null, refusal: null }), ...callChunks(), counted, '[DONE]') };
  },
};

/** vLLM that was started without a parser of tools. */
export const vllm = {
  answer: (body: { tools?: unknown[] }) => {
    const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
    refuseUnless(!body.tools, 400, told(message, { type: 'BadRequestError', param: null, code: 400 }));
    return { body: answered(counted) };
  },
};
