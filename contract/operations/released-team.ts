import type { OperationDocs } from './operation.ts';
import { ids, runAddress, times } from './samples.ts';

const execution = `https://artel.example/api/PipelineExecution/${ids.execution}`;

/** Teams that programs call, and what starts them by itself. */
export const releasedTeamOperations: OperationDocs<'releasedTeam' | 'team' | 'trigger'> = {
  'releasedTeam.list': ['List the released teams of a project', 'Returns the teams that programs can call, with what is live of each.'],
  'releasedTeam.release': [
    'Release a team',
    'Freezes the pipeline, its agents and their tools under a name, which one team of the account can have (409). Later edits of prompts and canvas reach no call of it. `filledBy` says who writes what programs send: `outsiders`, whose words make each tool call that leaves the run ask, or `account`.',
    { body: { task: 'Write release notes.' } },
  ],
  'releasedTeam.get': [
    'Get a released team',
    'Returns a team with its last 50 releases, its last 20 calls, and what its last ten runs have cost on average.',
    { response: { releases: [{}], calls: [{ by: 'Nightly build', from: '203.0.113.7' }] } },
  ],
  'releasedTeam.update': [
    'Change a released team',
    'Changes its name, form, task, limits, or who fills its fields. What runs stays the same. Runs that were started before keep their mark for words from outside.',
    { body: { atOnce: 2 } },
  ],
  'releasedTeam.releaseNext': [
    'Release another version',
    'Makes the present team live, or an earlier release by its number. Runs that have begun go on with theirs.',
    { body: { release: 1 }, response: { live: { number: 2 } } },
  ],
  'releasedTeam.withdraw': [
    'Withdraw a released team',
    'The next call of it gets 404, and its name is free. Its runs go on and stay in the history.',
  ],
  'team.get': ['Get a team to call', 'Returns the fields of its input, and their JSON schema.'],
  'team.start': [
    'Start a run of a released team',
    'Takes JSON, or a form (`multipart/form-data`) whose parts have the names of the fields; `git` names a repository. What a key sends counts as words from outside, unless the release says that the account writes it (`filledBy`). Refuses unknown and missing fields (400), and more runs at once than the team may have (429).',
    { body: { input: { changes: 'Search is faster.' } }, response: { status: 'queued', progress: 0 } },
  ],
  'team.run': [
    'Get a run of a released team',
    'Returns its status; `waiting` says that a person is asked, and `questions` where to answer.',
    { response: { status: 'running', progress: 50, startedAt: times.started, lastSeq: 3 } },
  ],
  'team.events': [
    'Follow a run of a released team',
    'Streams its events to a caller that accepts `text/event-stream`, from after `since` or `Last-Event-ID`, to its end. Others get up to 1,000 events as JSON.',
    { query: { since: 0 } },
  ],
  'team.result': [
    'Get the result of a released team',
    'Returns the text, and the addresses of files and patch. The text is null until the run has ended.',
    {
      response: {
        text: 'Search answers twice as fast.',
        files: [{ path: 'NOTES.md', bytes: 120, address: `${execution}/files/content?path=NOTES.md` }],
        patch: `${execution}/patch`,
        archive: `${execution}/archive`,
      },
    },
  ],
  'team.questions': [
    'List the questions of a run',
    'Returns them newest first. `byPrograms` says whether a key may answer.',
    { response: [{ byPrograms: true, address: `${runAddress}/questions/${ids.question}/answer` }] },
  ],
  'team.answer': [
    'Answer a question of a run',
    'Answers once, as `POST /question/{id}/answer` does. A key answers questions of people and hand-offs; those about tools, budgets and unknown outcomes get 403. Its words count as the fields of the team do (`filledBy`).',
    {
      body: { label: 'Ship' },
      response: { state: 'answered', answer: { label: 'Ship' }, answeredAt: times.completed, answeredBy: 'Ada (Nightly build)' },
    },
  ],
  'trigger.list': [
    'List the triggers of a project',
    'Returns what starts runs of released teams by itself, oldest first. Secrets are never returned.',
  ],
  'trigger.create': [
    'Add a trigger to a project',
    'A webhook or a schedule then starts runs of the released team, within its budget of a day. The secret of a webhook is returned only here. Fails with `too_many_triggers` at the limit.',
    { body: { budget: { tokens: 500_000 } }, response: { lastFire: null, secret: null } },
  ],
  'trigger.preview': [
    'Preview a schedule',
    'Returns the next instants of five fields of cron in a zone. A time that the clocks leave out is moved behind the gap.',
    { query: { cron: '0 9 * * 1-5', zone: 'Europe/Moscow' }, response: { next: ['2026-01-16T06:00:00.000Z'], firesADay: 0.71 } },
  ],
  'trigger.get': [
    'Get a trigger',
    'Returns the trigger with its next instants, its last twenty fires, and what the last ten runs of its team have cost on average.',
    { response: { next: ['2026-01-16T06:00:00.000Z'], costOfRun: { amounts: [] }, firesADay: 0.71 } },
  ],
  'trigger.update': [
    'Change a trigger',
    'What is not given stays. A changed schedule counts from now on. `isOn: true` also forgets earlier failures.',
    { body: { isOn: false }, response: { nextAt: null, pausedAt: times.started, pausedReason: 'owner' } },
  ],
  'trigger.remove': ['Remove a trigger', 'Removes the trigger with its fires. Runs that it has started go on.'],
  'trigger.renewSecret': [
    'Renew the secret of a webhook',
    'Returns another secret, only here. The one before is valid for a day, so that the sender can be changed meanwhile.',
  ],
  'trigger.fires': [
    'List the fires of a trigger',
    'Returns what came in, the newest first, with its run or with the reason why there is none. They are kept for 90 days.',
  ],
  'trigger.again': [
    'Fire again',
    'Starts a run with what came then, under a new key. Fails with `not_found` where the body is not kept any more.',
    { response: { key: `again:${ids.event}`, again: true } },
  ],
  'trigger.try': [
    'Try a body',
    'Says whether a body would start a run, and with which task. `event` is the kind of the event, as the header of its sender would say it. Nothing is started and nothing is stored.',
    { body: { event: 'issues', body: '{"issue":{"title":"Dates are wrong"}}' }, response: { passes: true, task: 'Mend: Dates are wrong' } },
  ],
};
