import en from '../../../locales/en/content/simulated.json' with { type: 'json' };
import ru from '../../../locales/ru/content/simulated.json' with { type: 'json' };
import { composeAnswer } from '../../../rules/simulated/compose-answer.ts';
import { wordsOf } from '../../../rules/simulated/task-words.ts';
import type { DemoOutput } from './demo-run.ts';

const languages = { ru, en };

/** The agents of the demo in order: role and shown title. */
type DemoTeam = readonly { role: 'ProjectManager' | 'TechnicalArchitect' | 'Developer'; title: string }[];

/**
 * The simulated team's output for a task: the plan of its project manager, the first file of its developer, and a pull request. Each
 * agent reads the results of those before it, as in a run. The same task always gives the same output. No model is called.
 */
export function composeDemo(task: string, team: DemoTeam, language: 'ru' | 'en'): DemoOutput {
  const results: { role: string; title: string; text: string }[] = [];
  for (const { role, title } of team) {
    const text = composeAnswer({ role, agentTitle: title, task, earlier: [...results], contexts: [], language }, languages);
    results.push({ role, title, text });
  }
  const paragraphsOf = (role: string) => results.find((result) => result.role === role)?.text.split('\n\n') ?? [];
  const [heading = '', ...plan] = paragraphsOf('ProjectManager');
  const [, summary = '', ...code] = paragraphsOf('Developer');
  const files = filesOf(code.join('\n\n'));
  return {
    plan: { title: heading.replace('## ', ''), waves: tableCells(plan.join('\n')) },
    code: files[0] ?? { path: '', text: '' },
    pullRequest: {
      title: wordsOf({ task, language }, languages).words.subject,
      summary: summary.replaceAll('**', ''),
      files: files.map(({ path, text }) => ({ path, lines: text.split('\n').length })),
    },
  };
}

/** The output for an example. Examples are about accounts: their code hashes passwords with cost 10. P9.01 */
export function composeExample(task: string, team: DemoTeam, language: 'ru' | 'en', summary: string): DemoOutput {
  const { plan, pullRequest } = composeDemo(task, team, language);
  const path = 'src/accounts/create-user.ts';
  const files = [{ path, lines: exampleCode.split('\n').length }];
  return { plan, code: { path, text: exampleCode }, pullRequest: { ...pullRequest, summary, files } };
}

const exampleCode = `import { hash } from 'bcrypt';

export async function createUser({ email, password }) {
  const passwordHash = await hash(password, 10);
  return users.insert({ email, passwordHash });
}`;

/** The second column of the numbered rows of an answer's tables. */
function tableCells(markdown: string): string[] {
  return [...markdown.matchAll(/^\| \d+ \| ([^|\n]*) \|/gm)].map(([, cell = '']) => cell);
}

/** The fenced blocks of an answer that name a path. */
function filesOf(markdown: string): { path: string; text: string }[] {
  const blocks = markdown.split('```').filter((_, place) => place % 2 === 1);
  return blocks.flatMap((block) => {
    const [info = '', ...lines] = block.trimEnd().split('\n');
    const path = info.split('path=')[1];
    return path === undefined ? [] : [{ path, text: lines.join('\n') }];
  });
}
