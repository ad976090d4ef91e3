import { setTimeout as wait } from 'node:timers/promises';
import en from '../../../../locales/en/content/simulated.json' with { type: 'json' };
import enRepository from '../../../../locales/en/content/simulated-repository.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/simulated.json' with { type: 'json' };
import ruRepository from '../../../../locales/ru/content/simulated-repository.json' with { type: 'json' };
import { composeAnswer, composeThoughts } from '../../../../rules/simulated/compose-answer.ts';
import { answerHeading } from '../answer-section.ts';
import { estimateUsage } from '../estimate-usage.ts';
import type { Conversation, ModelAdapter, ModelRequest } from '../language-model.ts';
import { plantAlone } from './planted-tests.ts';
import { aboutCalls, builds, failingTests, scriptedCalls, wordsOfTests } from './scripted-calls.ts';

type SimulatedOptions = {
  /** How long an answer streams (ms). Long enough to be watched, short enough to wait for. */
  durationMs: number;
};

const pieces = 12;
const languages = { ru, en };
/** The texts with another developer: one whose tools change the files of a repository hands over no files in the answer. */
const withDeveloper = (part: 'developer' | 'planted' | 'fix') => ({
  ru: { ...ru, roles: { ...ru.roles, developer: ruRepository[part] } },
  en: { ...en, roles: { ...en.roles, developer: enRepository[part] } },
});
const inRepository = withDeveloper('developer');
/** One that has planted a rule and its test says so. */
const planting = withDeveloper('planted');
/** One that mends what failing tests show does not, either. */
const fixing = withDeveloper('fix');

/** Answers without a model: offline, deterministic, and marked as simulated everywhere. */
export function simulatedModel({ durationMs }: SimulatedOptions): ModelAdapter {
  return {
    provider: 'simulated',
    model: 'simulated',
    simulated: true,
    callsTools: true,
    sees: false,
    host: null,
    async converse(conversation, signal, onText) {
      const { turn, messages } = conversation;
      const calls = scriptedCalls(conversation);
      const text = turn ? composeTurn(turn, aboutCalls(conversation)) : composeAnswer(turnOf(conversation), languages);
      const written = calls.length > 0 ? '' : text;
      try {
        // A turn that calls tools takes a part of the time of an answer.
        if (calls.length > 0) await wait(durationMs / 4, undefined, { signal });
        else await stream(text, durationMs, signal, onText);
      } catch {
        return { ok: false, error: { code: 'aborted', transient: false } };
      }
      const usage = estimateUsage(
        messages.map(({ content }) => content),
        written || JSON.stringify(calls),
      );
      return { ok: true, value: { text: written, thoughts: null, finish: 'stop', usage, ...(calls.length > 0 && { calls }) } };
    },
  };
}

async function stream(
  text: string,
  durationMs: number,
  signal: AbortSignal,
  onText: (text: string, thoughts: string) => void,
): Promise<void> {
  const endOf = (piece: number) => Math.ceil((text.length * piece) / pieces);
  for (let piece = 1; piece <= pieces; piece += 1) {
    await wait(durationMs / pieces, undefined, { signal });
    onText(text.slice(endOf(piece - 1), endOf(piece)), '');
  }
}

/** Thoughts and answer in the required form. A choice stays the last line. */
function composeTurn(turn: ModelRequest, about: string): string {
  const usesTools = turn.tools !== undefined && builds(turn);
  const hasPlanted = turn.turns?.some(({ calls }) => calls.filter(({ name }) => name === 'write_file').length > 1);
  const ofRepository = hasPlanted ? planting : inRepository;
  const texts = usesTools && failingTests(turn) ? fixing : usesTools && turn.hasBaseTree ? ofRepository : languages;
  const answer = composeAnswer(turn, texts);
  const end = turn.inGraph?.choices.length ? answer.lastIndexOf('\n\n') : answer.length;
  const added = [...testsWith(answer, turn), ...(about === '' ? [] : [about])].map((part) => `\n\n${part}`).join('');
  const whole = answer.slice(0, end) + added + answer.slice(end);
  return `${composeThoughts(turn, languages)}\n\n${answerHeading(turn.language)}\n\n${whole}`;
}

/** Returns the tests that a developer without a repository hands over, in the first round of a loop that they repeat: one of them fails. */
function testsWith(answer: string, turn: ModelRequest): string[] {
  const fence = answer.split('\n').find((line) => line.startsWith('```') && line.endsWith('/rules.ts'));
  const rules = fence?.split(' path=')[1];
  if (turn.testedBy === undefined || turn.inputs || !rules) return [];
  const files = plantAlone(turn.testedBy, rules, wordsOfTests(turn));
  const say = languages[turn.language].files;
  if (!files) return [say.needsModel];
  return [say.tests, ...files.map(({ path, content }) => `\`\`\`${path.slice(path.lastIndexOf('.') + 1)} path=${path}\n${content}\`\`\``)];
}

/** Handles a free conversation as a turn whose task is the last message to the agent. */
function turnOf({ messages, speaker, temperature, maxTokens, idempotencyKey }: Conversation): ModelRequest {
  const said = (role: string) => messages.filter((message) => message.role === role).map(({ content }) => content);
  return {
    ...speaker,
    systemPrompt: said('system').join('\n\n'),
    task: said('user').at(-1) ?? '',
    earlier: [],
    contexts: [],
    temperature,
    maxTokens,
    idempotencyKey,
  };
}
