import type { PullRequest } from '../../../../contract/executions/file.ts';
import { executedCommand, isBeforeTests, type TestRun } from '../../../../contract/executions/test-run.ts';
import en from '../../../../locales/en/content/pull-request.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/pull-request.json' with { type: 'json' };
import { withoutClosing } from '../../../../rules/text/closing-words.ts';
import { cutAtWord } from '../../../../rules/text/cut-at-word.ts';
import type { Language } from '../../../http/call.ts';
import type { FileDiff } from '../../files/index.ts';

const words = { ru, en };

/** The maximum length of a pull request's title, and of the task in its description (characters). */
const longestTitle = 72;
const longestTask = 2_000;

type ChangeAbout = {
  task: string;
  language: Language;
  /** In the order of their steps, with the changed files that they wrote. */
  agents: readonly { title: string; files: readonly string[] }[];
  /** Steps whose result a person has edited. */
  edited: readonly string[];
  simulated: boolean;
  /** The newest executed tests; null if none were. */
  tests: { run: TestRun; isOutdated: boolean } | null;
  /** Whether it is in a repository. */
  isPushed: boolean;
};

/** Builds a pull request: the task, the agents, the differences, and what was executed. */
export function pullRequestOf(about: ChangeAbout, changes: readonly FileDiff[]): PullRequest {
  return {
    title: titleOf(about.task),
    description: descriptionOf(about, changes),
    diff: changes.map(({ diff }) => diff).join(''),
    files: changes.map(({ diff: _diff, ...file }) => file),
    additions: changes.reduce((sum, { additions }) => sum + additions, 0),
    deletions: changes.reduce((sum, { deletions }) => sum + deletions, 0),
    simulated: about.simulated,
  };
}

/** Returns the task's first line, cut at a word. */
function titleOf(task: string): string {
  const [line = ''] = task.trim().split(/\r?\n/);
  const text = line.replace(/\s+/g, ' ').trim();
  return cutAtWord(text, longestTitle);
}

function descriptionOf({ task, language, agents, edited, simulated, tests, isPushed }: ChangeAbout, changes: readonly FileDiff[]): string {
  const texts = words[language];
  const quoted = task.length > longestTask ? `${task.slice(0, longestTask).toWellFormed()}…` : task;
  const files = changes.map((change) => fileText(change, language));
  return [
    `## ${texts.task}`,
    withoutClosing(quoted)
      .trim()
      .split(/\r?\n/)
      .map((line) => `> ${line}`)
      .join('\n'),
    `## ${texts.agents}`,
    agents.map(({ title, files }) => `- ${title}${files.map((path, at) => `${at === 0 ? ': ' : ', '}\`${path}\``).join('')}`).join('\n'),
    ...(edited.length === 0 ? [] : [`## ${texts.edited}`, edited.map((name) => `- ${name}`).join('\n')]),
    `## ${texts.files}`,
    files.length === 0 ? texts.nothing : files.join('\n'),
    ...(simulated ? [texts.simulated] : []),
    tests ? testsText(tests, language) : texts.notExecuted,
    ...(isPushed ? [] : [texts.local]),
  ].join('\n\n');
}

function fileText({ path, change, from, executable, isBinary, additions, deletions }: FileDiff, language: Language): string {
  const texts = words[language];
  const mode = executable === null ? [] : [executable ? texts.executable : texts.notExecutable];
  const lines = isBinary ? texts.notText : `+${additions} −${deletions}`;
  return `- \`${path}\`: ${[from === null ? texts[change] : `${texts.renamed} \`${from}\``, ...mode, lines].join(', ')}`;
}

function testsText({ run, isOutdated }: NonNullable<ChangeAbout['tests']>, language: Language): string {
  const texts = words[language];
  const { exitCode, reason, missing, ms, counts } = run;
  const why = texts.reasons[reason ?? 'cut_off'];
  const values: Record<string, string> = {
    command: codeOf(executedCommand(run)),
    code: String(exitCode),
    seconds: ((ms ?? 0) / 1_000).toLocaleString(language, { maximumFractionDigits: 1 }),
    reason: missing === undefined ? why : texts.missing.replace('{reason}', why).replace('{missing}', () => codeOf(missing)),
    passed: String(counts?.passed),
    failed: String(counts?.failed),
  };
  const sentences = [
    exitCode === null ? texts.notEnded : texts.executed,
    ...(isBeforeTests(reason) ? [texts.cure] : []),
    ...(counts ? [texts.counts] : []),
    ...(isOutdated ? [texts.executedBefore] : []),
  ];
  return sentences.map((sentence) => sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')).join(' ');
}

/** Returns a command as code of Markdown that it cannot close. */
function codeOf(command: string): string {
  let fence = '`';
  while (command.includes(fence)) fence += '`';
  return fence.length === 1 ? `\`${command}\`` : `${fence} ${command} ${fence}`;
}
