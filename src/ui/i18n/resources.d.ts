import 'i18next';

type Of<Area extends keyof Areas> = Areas[Area];

type Areas = {
  common: typeof import('../../../locales/ru/common.json');
  words: typeof import('../../../locales/ru/words.json');
  auth: typeof import('../../../locales/ru/auth.json');
  landing: typeof import('../../../locales/ru/landing.json');
  offer: typeof import('../../../locales/ru/offer.json');
  privacy: typeof import('../../../locales/ru/privacy.json');
  workspace: typeof import('../../../locales/ru/workspace.json');
  console: typeof import('../../../locales/ru/console.json');
  canvas: typeof import('../../../locales/ru/canvas.json');
  actions: typeof import('../../../locales/ru/actions.json');
  errors: typeof import('../../../locales/ru/errors.json');
  modals: typeof import('../../../locales/ru/modals.json');
  projects: typeof import('../../../locales/ru/projects.json');
  account: typeof import('../../../locales/ru/account.json');
  budgets: typeof import('../../../locales/ru/budgets.json');
  storage: typeof import('../../../locales/ru/storage.json');
  inputs: typeof import('../../../locales/ru/inputs.json');
  answers: typeof import('../../../locales/ru/answers.json');
  versions: typeof import('../../../locales/ru/versions.json');
  publishing: typeof import('../../../locales/ru/publishing.json');
  questions: typeof import('../../../locales/ru/questions.json');
  leads: typeof import('../../../locales/ru/leads.json');
  'dead-letters': typeof import('../../../locales/ru/dead-letters.json');
  'api-keys': typeof import('../../../locales/ru/api-keys.json');
  'released-teams': typeof import('../../../locales/ru/released-teams.json');
  connect: typeof import('../../../locales/ru/connect.json');
  'account-data': typeof import('../../../locales/ru/account-data.json');
  runner: typeof import('../../../locales/ru/runner.json');
  participation: typeof import('../../../locales/ru/participation.json');
  selection: typeof import('../../../locales/ru/selection.json');
  folding: typeof import('../../../locales/ru/folding.json');
  triggers: typeof import('../../../locales/ru/triggers.json');
  'start-triggers': typeof import('../../../locales/ru/start-triggers.json');
  connections: typeof import('../../../locales/ru/connections.json');
  'tool-servers': typeof import('../../../locales/ru/tool-servers.json');
  'question-link': typeof import('../../../locales/ru/question-link.json');
  replay: typeof import('../../../locales/ru/replay.json');
  links: typeof import('../../../locales/ru/links.json');
  rerun: typeof import('../../../locales/ru/rerun.json');
  developer: typeof import('../../../locales/ru/developer.json');
};

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: { [Area in keyof Areas]: Of<Area> };
    returnNull: false;
  }
}
