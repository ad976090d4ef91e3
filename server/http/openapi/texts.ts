type Section = { title: string; paragraphs: string[] };

/** Rules that hold for several calls. Backticks mark code. */
export const sections: Section[] = [
  {
    title: 'Calls',
    paragraphs: [
      'Paths are below `/api` and matched in any case. Bodies and answers are JSON in UTF-8 unless a call says otherwise. Unknown fields and parameters are ignored. A field that is left out takes its default. In the examples `$ARTEL` is the address of the server and `$TOKEN` an access token.',
      'Times are ISO 8601 in UTC, or milliseconds where the name ends in `Ms`. Ids are UUIDs. `default` stands for the first project of the caller wherever a project is named.',
      'Bodies may have 1 MiB; a canvas or a pipeline may have 16 MiB, an answer with files 4 MiB, a file or an archive 10 MiB, a call of a released team 16 MiB.',
    ],
  },
  {
    title: 'Signing in',
    paragraphs: [
      'Send the access token of `POST /auth/login` as `Authorization: Bearer …`. It is valid for an hour; `POST /auth/refresh` exchanges the refresh token for a new pair. Every record belongs to one account. A record of another account gets 404, as a missing one does.',
    ],
  },
  {
    title: 'Keys for programs',
    paragraphs: [
      'A program sends an API key as `Authorization: Bearer art_…`. Its owner creates it in the account window, where it is shown once. Each operation names the scope that it needs: `read`, `run`, `answer` or `edit`. Operations without one need a session: account, keys, secrets, budgets and what only people decide. A call beyond the scopes or the project of a key gets 403 with `key_not_allowed`. A key may make 6,000 calls a minute.',
    ],
  },
  {
    title: 'Failures',
    paragraphs: [
      'Every failure has the same body: `code` for programs, `message` for people in the language of `Accept-Language` (`ru` or `en`), `errors` with the path of each wrong field, `details` with what the caller needs to go on, and `requestId`, which is in the header `X-Request-Id` too and in the log of the server.',
      'On 429 and 503 the header `Retry-After` says how many seconds to wait.',
    ],
  },
  {
    title: 'Lists',
    paragraphs: [
      'Lists take `limit` (1 to 200) and `offset`; the header `X-Total-Count` says how many there are in all. A list of executions or commands holds the first 4,000 characters of each `result`, a list of history items the first 1,000 of each `finalResult`. `resultIsCut` or `finalResultIsCut` is true when there is more; the call for one record returns all of it. A page of pipelines ends early, after 2 MiB: read on with `offset` plus the number that you received.',
    ],
  },
  {
    title: 'Repeating a call',
    paragraphs: [
      'Calls that take an `Idempotency-Key` are done once for a user and a key, also when the server dies in between: a repetition gets the first answer again. The same key with another request answers 409.',
    ],
  },
  {
    title: 'WebSockets',
    paragraphs: [
      '`GET /api/natsws?ticket=…` carries everything of the user, `GET /api/pipelinews/{pipelineId}?ticket=…` the executions of one pipeline. Both need a ticket of `POST /api/auth/socket-ticket`, which works once and for 30 seconds, and, from a page, an allowed origin. An access token as `token=…` opens them too, unless the server runs with `ARTEL_SOCKET_TOKENS=off`; addresses end up in the logs of proxies, so a ticket is safer.',
      'The first sends `ServerMessage`s. A client that comes back says `{"type":"since","since":{"<executionId>":<seq>}}` within a quarter of a second and is sent what it has missed; an open socket takes a new token by `{"type":"token","accessToken":"…"}`. The second sends `ExecutionUpdate`s and takes tokens alike.',
      'A message of `agent_thought` with `partial: true` is a piece of a text that is being written: `content` is what was added, and `position` how many UTF-16 units come before it. Position 0 begins the text anew. A client whose text does not end at `position` has missed something: it says `{"type":"texts"}` and is sent the texts under way from position 0, every two seconds at most.',
      'The server closes with 4401 when the session has ended, 1013 when the client is too slow and should come again, 1008 for a message that it does not understand, 1009 for one of more than 64 KiB, and 1001 when it is going away. A socket may send 50 messages a second, pings included, and 200 at once, and a message may take 10 seconds; more closes it with 1008. An account may hold 1,000 sockets and event streams open on a node; one more is answered with 429.',
    ],
  },
];

/** The subject of each group of calls. */
export const tags: Record<string, string> = {
  health: 'The state of the server. `/live`, `/ready` and `/health` at the origin, without `/api`, are for operators and load balancers.',
  auth: 'Accounts and sessions.',
  apiKey: 'Keys by which programs call the API for an account.',
  account: 'An export of everything that an account has stored, and its deletion.',
  deadLetter: 'Executions, commands and instants of schedules whose attempts are used up. Staff can retry them.',
  lead: 'Demo requests. Sending one needs no account; all other operations are for staff.',
  project: 'Projects and their canvases.',
  agent: 'Agents with their model settings, keys and relationships.',
  command: 'One task for one agent. Commands are queued and survive a restart.',
  thought: 'Thoughts of agents: live as a stream, and stored.',
  pipeline: 'The steps of an execution in their order, with an agent for each.',
  execution: 'Executions of pipelines. They survive a closed browser and a restarted server.',
  hook: 'Receivers of projects: events are sent to other programs, signed as Standard Webhooks says.',
  telegram: 'The chat of an account with the bot of this server: it tells of events, and people answer there.',
  push: 'Browsers of an account that are told of events by web push.',
  toolServer: 'Tool servers (MCP) of projects, their tools, and which agents may call them.',
  modelConnection: 'Servers of models that are entered once: their keys, their lists of models, and which agents use them.',
  runner: 'The runner that executes the tests of projects.',
  input: 'Files that a user gives to a run: its base tree.',
  question: 'Questions of executions to people: steps of persons, and results that wait before they are handed on.',
  questionLink: 'Links with which a person without an account answers one question.',
  storage: 'What the account stores, its limits, and the removal of old runs.',
  releasedTeam: 'Frozen teams that programs call by a name. They are released, changed and withdrawn by people alone.',
  team: 'Calls of released teams: a run of what was released, never of the draft on the canvas.',
  result: 'The history of a project: one item for each execution.',
};
