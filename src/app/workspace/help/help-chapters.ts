import type { Language } from '../../../ui/i18n/languages.ts';
import type { ConnectSection, ConsoleTab, Panels, WorkspaceWindow } from '../frame/panels.tsx';

/** The first page of the help. */
const first = 'index';

/** The chapter of each window: a page of `docs/`, with the heading that the window is about where it has one. */
export const chapterOfWindow: Record<WorkspaceWindow['kind'], string> = {
  palette: first,
  shortcuts: first,
  picture: first,
  newAgent: 'models',
  addAgent: first,
  buyAgent: first,
  inviteMember: first,
  addUser: 'people#put-a-person-between-agents',
  account: 'first-run#your-account',
  leave: first,
  projects: first,
  projectForm: first,
  projectRemoval: 'operation#what-is-removed-by-itself',
  startNode: 'triggers',
  cards: 'models',
  import: first,
  person: 'people#put-a-person-between-agents',
  questions: 'people#answer-what-waits',
  connections: 'models',
  tools: 'tools',
  connect: 'programs',
  refused: first,
  agentRoom: first,
};

export const chapterOfSection: Record<ConnectSection, string> = {
  teams: 'programs#release-a-team',
  keys: 'programs#call-it',
  triggers: 'triggers',
  device: 'programs#be-told',
  telegram: 'programs#be-told',
  hooks: 'programs#be-told',
};

export const chapterOfTab: Record<ConsoleTab, string> = {
  files: first,
  test: 'runner',
  communication: first,
  thinking: 'models#what-it-costs',
  summary: 'models#what-it-costs',
  history: first,
  live: first,
};

type Opened = Pick<Panels, 'window' | 'settingsAgentId' | 'console' | 'tab'>;

/** The address of the chapter of what is open. A Russian chapter has its headings at the English addresses too. */
export function helpAddress(opened: Opened, language: Language, russian = russianChapters): string {
  const [name = first, heading] = chapterOf(opened).split('#');
  const folder = language === 'ru' && [first, ...russian].includes(name) ? 'ru/' : '';
  return `/help/${folder}${name}.html${heading ? `#${heading}` : ''}`;
}

function chapterOf({ window, settingsAgentId, console, tab }: Opened): string {
  if (window?.kind === 'account' && window.budgetsOf) return 'models#budgets';
  if (window?.kind === 'connect' && window.section) return chapterOfSection[window.section];
  // The palette is open where help is looked for: the chapter is that of what is below it.
  if (window && window.kind !== 'palette') return chapterOfWindow[window.kind];
  if (settingsAgentId !== null) return 'models';
  return console === 'closed' ? first : chapterOfTab[tab];
}

/** The build knows which chapters there are in Russian. */
const russianChapters = String(import.meta.env.VITE_RUSSIAN_CHAPTERS).split(' ');
