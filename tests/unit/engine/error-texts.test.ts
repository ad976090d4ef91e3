import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { errorCodes, modelErrorCodes } from '../../../contract/errors.ts';
import consoleWords from '../../../locales/en/console.json' with { type: 'json' };
import en from '../../../locales/en/errors.json' with { type: 'json' };
import workspaceWords from '../../../locales/en/workspace.json' with { type: 'json' };
import ru from '../../../locales/ru/errors.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');

/** Every error code in the sources of the rules, the engine and the check of pipelines. */
function codesInSources(): string[] {
  const folders = ['rules', 'src/model', 'src/workers', 'server/modules/pipelines'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
      name.endsWith('.ts') ? [join(root, folder, name)] : [],
    ),
  );
  const patterns = [
    /\bcode: (?:dialog \? )?'([\w.]+)'(?: : '([\w.]+)')?/g,
    /\bfailed\('([\w.]+)'/g,
    /\bsays\('([\w.]+)'/g,
    /\bsay\('(?:error|warning)', '([\w.]+)'/g,
    /refused\(console, '([\w.]+)'/g,
    /return '((?:link|node)\.\w+)'/g,
  ];
  return [
    ...new Set(
      files.flatMap((file) =>
        patterns.flatMap((pattern) => [...readFileSync(file, 'utf8').matchAll(pattern)].flatMap(([, ...codes]) => codes.filter(Boolean))),
      ),
    ),
  ];
}

async function texts(language: string) {
  const i18n = i18next.createInstance();
  await i18n.init({
    lng: language,
    resources: { ru: { errors: ru }, en: { errors: en, console: consoleWords, workspace: workspaceWords } },
    defaultNS: 'errors',
    interpolation: { escapeValue: false },
  });
  return i18n;
}

test.each(['ru', 'en'])('W8.01 every code of a failure, an event or a notice has its sentence: %s', async (language) => {
  const { t } = await texts(language);
  const codes = [
    ...codesInSources(),
    ...errorCodes,
    ...modelErrorCodes,
    'network',
    'timeout',
    'bad_answer',
    'run.starting',
    'run.stopping',
    'undo.nothing',
    'redo.nothing',
  ];
  expect(codes.length).toBeGreaterThan(100);
  const silent = codes.filter((code) => code !== 'http' && t(code, { count: 2, cause: 'network' }) === code);
  expect(silent).toEqual([]);
});

test.each([
  ['dialog.noTarget', { dialog: 'Box' }, 'Warning: No target agent found for dialog Box. Message will not be sent to agent context.'],
  ['run.noAgents', {}, 'No agents on canvas for simulation. Please add agents to the canvas first.'],
  ['run.allDisabled', {}, 'All agents on the canvas are disabled: let at least one take part'],
  ['pipeline.noAgents', {}, 'No agent nodes found on canvas'],
  ['run.noValidAgents', {}, 'No valid agents found on canvas - check agent configuration (ID, serverAgentId, title/name)'],
  ['run.failed', { error: 'Bad key' }, 'Pipeline execution failed: Bad key'],
  ['run.stoppedByErrors', {}, 'Simulation stopped due to validation errors'],
  ['pipeline.notRemoved', {}, 'Pipeline stopped but could not be removed'],
  ['pipeline.failed', { cause: 'pipeline.invalid' }, 'Pipeline error: Invalid pipeline data'],
  ['run.noExecution', {}, 'No execution ID provided'],
  ['node.idMissing', { name: 'QA' }, 'Agent validation failed: QA – Missing ID'],
  ['agent.notSaved', { cause: 'network' }, 'Error saving agent: Could not reach the server'],
  ['workspace:history.clearText', {}, 'Are you sure you want to clear the chat history? This action cannot be undone.'],
  ['workspace:banner.checkFailed', {}, 'Authentication check failed. Please login again.'],
  ['history.loadFailed', { cause: 'network' }, 'Failed to load chat history: Could not reach the server'],
  ['workspace:connection.off', {}, 'HTTP only'],
  ['thoughts.failed', { cause: 'network' }, 'Failed to subscribe to agent thoughts: Could not reach the server'],
  ['console.noAgent', {}, 'No active agent selected'],
  ['console.unknown', { command: '/dance' }, 'Unknown command: /dance. Type /help for available commands.'],
  ['console.status.noAgent', {}, 'Agent not selected'],
  ['console.status.command', {}, 'Command executed successfully'],
  ['console.status.thought', {}, 'Thought published'],
  ['console.status.ai', {}, 'AI response received'],
  ['console.validationError', { agent: 'QA' }, 'Validation error for QA'],
  ['console.commandNotFound', { agent: 'QA' }, 'Command not found for QA'],
  ['console.invalidId', { agent: 'QA' }, 'Invalid command ID for QA'],
  ['console.timedOut', { agent: 'QA' }, 'Task timed out for QA. The answer is still awaited'],
  ['run.late', {}, 'Timeout waiting for pipeline execution response. The run goes on and is still followed'],
  ['console.notExecuted', { agent: 'QA', cause: 'network' }, 'Error executing command for QA: Could not reach the server'],
  [
    'agent.notChecked',
    { name: 'QA', why: 'network' },
    'Agent validation failed: QA – Server validation failed: Could not reach the server',
  ],
  ['agent.noResult', { agent: 'QA' }, 'Skipping agent QA - no result received'],
  ['agent.noCommandId', { agent: 'QA' }, 'Skipping agent QA - could not get command ID'],
  ['agent.unexpectedResult', { agent: 'QA' }, 'Skipping agent QA - unexpected result type'],
  ['agent.invalidCommandId', { agent: 'QA' }, 'Skipping agent QA - invalid command ID'],
  ['console.failed', { cause: 'model_timeout' }, 'Command failed: The model did not respond in time'],
  ['api.timeout', { ms: 30_000 }, 'HTTP response timeout after 30000ms'],
  ['api.failed', { cause: 'api.timeout', ms: 30_000 }, 'API Error: HTTP response timeout after 30000ms'],
  ['pipeline.brokenRule', { number: 2, cause: 'link.self' }, '2. A card cannot be linked to itself'],
  [
    'pipeline.validationFailed',
    { count: 2, cause: 'dialog.goalMissing', name: 'Box' },
    'Pipeline validation failed (2 errors): Dialog “Box” has no goal',
  ],
  [
    'console.waitFailed',
    { agent: 'QA', cause: 'network' },
    'Error waiting for command completion for QA: Could not reach the server. It will be asked again',
  ],
  ['task.completed', { agent: 'QA' }, '✓ Task completed for QA'],
  ['agent.notFound', { id: '7', available: 3 }, 'Agent with ID 7 not found. Available agents: 3'],
  ['api.message', { message: 'No' }, 'API Error: No'],
  ['pipeline.failed', { cause: 'network' }, 'Pipeline error: Could not reach the server'],
  ['run.startFailed', { cause: 'too_large' }, 'Failed to start workflow with user message context - Too much data at once'],
])('W8.03 W5.09 W6.01 %s reads as specified', async (code, params, sentence) => {
  const { t } = await texts('en');
  const said = t(code, params);
  expect(said.slice(0, sentence.length)).toBe(sentence);
  // One plain sentence may follow.
  expect(said.slice(sentence.length)).toMatch(/^(\. [A-Z][^.]+)?$/);
});

test.each(['ru', 'en'])('W8.03 a failure that names no cause is followed by one plain sentence: %s', async (language) => {
  const { t } = await texts(language);
  const bare = [
    ...['agent.titleMissing', 'agent.notFound', 'agent.serverIdMissing', 'agent.skipped', 'agent.noResult', 'agent.noCommandId'],
    ...[
      'agent.unexpectedResult',
      'agent.invalidCommandId',
      'node.idMissing',
      'run.noExecution',
      'run.noValidAgents',
      'run.stoppedByErrors',
    ],
    ...['pipeline.invalid', 'pipeline.notRemoved', 'pipeline.noAgents', 'api.timeout'],
    ...['console.noAgent', 'console.invalidId', 'console.validationError', 'console.commandNotFound'],
  ];
  expect(bare.filter((code) => !/\. \p{Lu}[^.]+$/u.test(t(code)))).toEqual([]);
});
