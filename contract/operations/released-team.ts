import type { CallableTeam, ReleasedTeam, TeamRun } from '../released-team.ts';
import type { OperationDocs } from './operation.ts';
import { sampleQuestion } from './question.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const id = sampleIds.project;
const teamId = sampleIds.releasedTeam;
const slug = 'release-notes';
const address = `https://artel.example/api/team/${slug}`;
const run = `${address}/runs/${sampleIds.execution}`;
const input = [
  { kind: 'text' as const, name: 'changes', title: 'What has changed', isOptional: false },
  { kind: 'choice' as const, name: 'tone', title: 'Tone', isOptional: true, choices: ['plain', 'cheerful'] },
];

const live = {
  number: 1,
  teamVersionId: sampleIds.teamVersion,
  version: 4,
  canvasVersion: 12,
  releasedBy: 'Ada',
  releasedAt: sampleTimes.created,
};

const team: ReleasedTeam = {
  id: teamId,
  createdAt: sampleTimes.created,
  updatedAt: sampleTimes.created,
  projectId: id,
  slug,
  title: 'Release notes',
  task: 'Write release notes for: {changes}',
  input,
  budget: null,
  atOnce: 5,
  filledBy: 'outsiders',
  live,
  address,
};

const schema = {
  type: 'object',
  properties: { changes: { type: 'string', minLength: 1 }, tone: { type: 'string', enum: ['plain', 'cheerful'] } },
  required: ['changes'],
  additionalProperties: false,
};
const callable: CallableTeam = { slug, title: team.title, release: 1, input, schema, address };

const started: TeamRun = {
  id: sampleIds.execution,
  team: slug,
  release: 1,
  status: 'queued',
  progress: 0,
  createdAt: sampleTimes.started,
  startedAt: null,
  endedAt: null,
  error: null,
  lastSeq: 0,
  questions: [],
  addresses: {
    run,
    events: `${run}/events`,
    result: `${run}/result`,
    questions: `${run}/questions`,
    page: `https://artel.example/test-project?projectId=${id}`,
  },
};
const ofRun = { slug, id: sampleIds.execution };

export const releasedTeamOperations: OperationDocs<'releasedTeam'> = {
  'releasedTeam.list': {
    summary: 'List the released teams of a project',
    description: 'Returns the teams that programs can call, with what is live of each.',
    example: { params: { id }, response: [team] },
  },
  'releasedTeam.release': {
    summary: 'Release a team',
    description:
      'Freezes the pipeline, its agents and their tools under a name, which one team of the account can have (409). Later edits of prompts and canvas reach no call of it. `filledBy` says who writes what programs send: `outsiders`, whose words make each tool call that leaves the run ask, or `account`.',
    example: {
      params: { id },
      body: { pipelineId: sampleIds.pipeline, slug, title: team.title, task: 'Write release notes.', input },
      response: team,
    },
  },
  'releasedTeam.get': {
    summary: 'Get a released team',
    description: 'Returns a team with its last 50 releases, its last 20 calls, and what its last ten runs have cost on average.',
    example: {
      params: { id, teamId },
      response: {
        ...team,
        releases: [live],
        calls: [
          {
            runId: sampleIds.execution,
            status: 'completed',
            release: 1,
            by: 'Nightly build',
            from: '203.0.113.7',
            at: sampleTimes.started,
          },
        ],
        costOfRun: { amounts: [{ currency: 'USD', micros: 40_000 }] },
      },
    },
  },
  'releasedTeam.update': {
    summary: 'Change a released team',
    description:
      'Changes its name, form, task, limits, or who fills its fields. What runs stays the same. Runs that were started before keep their mark for words from outside.',
    example: { params: { id, teamId }, body: { atOnce: 2 }, response: { ...team, atOnce: 2 } },
  },
  'releasedTeam.releaseNext': {
    summary: 'Release another version',
    description: 'Makes the present team live, or an earlier release by its number. Runs that have begun go on with theirs.',
    example: { params: { id, teamId }, body: { release: 1 }, response: { ...team, live: { ...live, number: 2 } } },
  },
  'releasedTeam.withdraw': {
    summary: 'Withdraw a released team',
    description: 'The next call of it gets 404, and its name is free. Its runs go on and stay in the history.',
    example: { params: { id, teamId } },
  },
};

export const teamOperations: OperationDocs<'team'> = {
  'team.get': {
    summary: 'Get a team to call',
    description: 'Returns the fields of its input, and their JSON schema.',
    example: { params: { slug }, response: callable },
  },
  'team.start': {
    summary: 'Start a run of a released team',
    description:
      'Takes JSON, or a form (`multipart/form-data`) whose parts have the names of the fields; `git` names a repository. What a key sends counts as words from outside, unless the release says that the account writes it (`filledBy`). Refuses unknown and missing fields (400), and more runs at once than the team may have (429).',
    example: { params: { slug }, body: { input: { changes: 'Search is faster.' } }, response: started },
  },
  'team.run': {
    summary: 'Get a run of a released team',
    description: 'Returns its status; `waiting` says that a person is asked, and `questions` where to answer.',
    example: { params: ofRun, response: { ...started, status: 'running', progress: 50, startedAt: sampleTimes.started, lastSeq: 3 } },
  },
  'team.events': {
    summary: 'Follow a run of a released team',
    description:
      'Streams its events to a caller that accepts `text/event-stream`, from after `since` or `Last-Event-ID`, to its end. Others get up to 1,000 events as JSON.',
    example: { params: ofRun, query: { since: 0 }, response: [] },
  },
  'team.result': {
    summary: 'Get the result of a released team',
    description: 'Returns the text, and the addresses of files and patch. The text is null until the run has ended.',
    example: {
      params: ofRun,
      response: {
        status: 'completed',
        text: 'Search answers twice as fast.',
        error: null,
        files: [
          { path: 'NOTES.md', bytes: 120, address: `https://artel.example/api/PipelineExecution/${ofRun.id}/files/content?path=NOTES.md` },
        ],
        patch: `https://artel.example/api/PipelineExecution/${ofRun.id}/patch`,
        archive: `https://artel.example/api/PipelineExecution/${ofRun.id}/archive`,
      },
    },
  },
  'team.questions': {
    summary: 'List the questions of a run',
    description: 'Returns them newest first. `byPrograms` says whether a key may answer.',
    example: {
      params: ofRun,
      response: [{ ...sampleQuestion, byPrograms: true, address: `${run}/questions/${sampleQuestion.id}/answer` }],
    },
  },
  'team.answer': {
    summary: 'Answer a question of a run',
    description:
      'Answers once, as `POST /question/{id}/answer` does. A key answers questions of people and hand-offs; those about tools, budgets and unknown outcomes get 403. Its words count as the fields of the team do (`filledBy`).',
    example: {
      params: { ...ofRun, questionId: sampleQuestion.id },
      body: { action: 'answer', label: 'Ship' },
      response: {
        ...sampleQuestion,
        state: 'answered',
        answer: { action: 'answer', label: 'Ship' },
        answeredAt: sampleTimes.completed,
        answeredBy: 'Ada (Nightly build)',
      },
    },
  },
};
