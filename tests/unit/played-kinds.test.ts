import { beforeAll, describe, expect, test } from 'vitest';
import { type Change, readTypeErrors } from '../support/source-tree/read-type-errors.ts';

type Played = { kind: string; change: Change; places: readonly string[] };

/** Kinds and receivers that the product does not have, each with the places that a newcomer has to fill. `docs/architecture.md` names them. */
const played: Played[] = [
  {
    kind: 'played_node',
    change: {
      file: 'contract/canvas.ts',
      text: "['agent', 'start', 'dialog', 'flow', 'trigger', 'note', 'group'] as const",
      becomes: "['agent', 'start', 'dialog', 'flow', 'trigger', 'note', 'group', 'played_node'] as const",
    },
    places: ['rules/node-kinds.ts', 'src/canvas/canvas-kinds.ts'],
  },
  {
    kind: 'played_trigger',
    change: {
      file: 'contract/trigger.ts',
      text: '[webhookSettings, scheduleSettings, forgeSettings]',
      becomes:
        "[webhookSettings, scheduleSettings, forgeSettings, z.strictObject({ kind: z.literal('played_trigger'), tune: z.string() })]",
    },
    places: [
      'server/modules/triggers/trigger-kinds.ts',
      'src/app/triggers/trigger-kinds.tsx',
      'src/app/triggers/draft-kinds.ts',
      'src/app/triggers/trigger-icons.ts',
      // Texts: its name, its offer, what it waits for, and that nothing has come in.
      'src/app/triggers/trigger-view.tsx',
      'src/app/triggers/trigger-list.tsx',
      'src/app/triggers/start-triggers.tsx',
      'src/app/triggers/fires.tsx',
    ],
  },
  {
    // The compiler shows the first of many texts, in the order of the alphabet.
    kind: 'a_played_provider',
    change: {
      file: 'contract/agent.ts',
      text: "  'simulated',\n] as const",
      becomes: "  'simulated',\n  'a_played_provider',\n] as const",
    },
    places: [
      'contract/agent.ts',
      'server/platform/llm/provider-addresses.ts',
      'src/app/workspace/connections/provider-facts.ts',
      // Texts: its name and its hint.
      'src/app/workspace/agent-settings/own-fields.tsx',
      'src/app/workspace/agent-settings/model-fields.tsx',
    ],
  },
  {
    kind: 'played_question',
    change: {
      file: 'contract/executions/question.ts',
      text: "'room', 'install'] as const",
      becomes: "'room', 'install', 'played_question'] as const",
    },
    places: [
      'server/modules/executions/store/question-kinds.ts',
      'server/modules/executions/questions/answer-kinds.ts',
      'server/modules/telegram/written-answers.ts',
      'src/app/workspace/questions/question-kinds.tsx',
      'src/app/question-link/hands-on-draft.ts',
    ],
  },
  {
    kind: 'played_receiver',
    change: {
      file: 'server/modules/hooks/receivers.ts',
      text: '} satisfies Record<string, Receiver>',
      becomes:
        "played_receiver: { table: 'played', column: 'deviceId', wanting: () => '', note: null } } satisfies Record<string, Receiver>",
    },
    places: ['server/modules/hooks/create-hooks.ts', 'server/create-services.ts'],
  },
];
const places = played.flatMap((one) => one.places.map((place) => ({ ...one, place })));

/** A service whose name another one has. */
const doubled: Change = {
  file: 'server/create-services.ts',
  text: 'memory: new RepositoryMemory(),',
  becomes: 'memory: new RepositoryMemory(), keyBudgets: null,',
};

describe('a kind, a receiver or a service that is added', () => {
  let errors: ReadonlyMap<string, string[]>;

  beforeAll(() => {
    errors = readTypeErrors(
      [...played.map(({ change }) => change), doubled],
      places.map(({ place }) => place),
    );
  }, 120_000);

  test.each(places)('$kind is missing in $place, and the compiler says so', ({ kind, place }) => {
    expect(errors.get(place)?.join('\n')).toContain(kind);
  });

  test('a service gets no name that another one has: the compiler refuses it', () => {
    expect(errors.get(doubled.file)?.join('\n')).toContain('taken: "keyBudgets"');
  });
});
