import { z } from 'zod';
import {
  authConfig,
  credentials,
  emailVerification,
  passwordChange,
  passwordForgotten,
  passwordReset,
  profile,
  profileUpdate,
  refreshed,
  registration,
  session,
  socketTicket,
} from './account.ts';
import {
  agent,
  agentCreation,
  agentStatistics,
  agentStatusChange,
  agentUpdate,
  apiConfiguration,
  apiConfigurationCreation,
  apiConfigurationUpdate,
  byAgentStatus,
  byContextAccess,
  byRole,
  bySpecialization,
} from './agent.ts';
import { agentRelationship, delegationAnswer, delegationQuestion, relationshipCreation } from './agent-relationship.ts';
import { canvasBody, listBody } from './body-limits.ts';
import { canvas, canvasChange, canvasReplacement, canvasSaved } from './canvas.ts';
import {
  agentAvailability,
  agentLoad,
  chatCompletion,
  chatRequest,
  command,
  commandExecution,
  commandHistoryQuery,
  commandState,
} from './command.ts';
import { id, page } from './common.ts';
import { deadLetter, retriedWork } from './dead-letter.ts';
import {
  byExecutionStatus,
  execution,
  executionCreation,
  executionDetails,
  executionEvent,
  executionMemory,
  executionQuery,
  executionSettings,
  executionStart,
  executionStatistics,
  logsQuery,
  userInputContext,
} from './execution.ts';
import { byFilePath, executionFiles, fileComparison, pullRequest } from './file.ts';
import { health } from './health.ts';
import {
  byLeadPriority,
  byLeadSource,
  byLeadStatus,
  lead,
  leadComment,
  leadCommentCreation,
  leadCreation,
  leadDateRange,
  leadStatusChange,
  leadUpdate,
} from './lead.ts';
import {
  pipeline,
  pipelineCreation,
  pipelineDiagnostics,
  pipelineReadiness,
  pipelineStatusChange,
  pipelineStep,
  pipelineStepCreation,
  pipelineStepOrder,
  pipelineStepUpdate,
  pipelineUpdate,
} from './pipeline.ts';
import { byProjectStatus, project, projectCreation, projectId, projectStatistics, projectStatusChange, projectUpdate } from './project.ts';
import {
  byResultStatus,
  byResultType,
  recentQuery,
  resultCreation,
  resultItem,
  resultSearch,
  resultStatistics,
  resultUpdate,
} from './result.ts';
import { type Route, route } from './route.ts';
import { busStatus, subscription, thought, thoughtPublication, thoughtQuery, thoughtTest } from './thought.ts';

const byId = z.object({ id });
const byUser = z.object({ userId: id });
const byStep = z.object({ stepId: id });
const byAgent = z.object({ agentId: id });
const byProject = z.object({ projectId });
const byProjectId = z.object({ id: projectId });
const nothing = z.undefined();

/** Every call of the API by name. Paths are below `/api`. */
// biome-ignore format: a table reads best with one route a line
export const routes = {
  'health.get': route({ method: 'GET', path: '/health', tag: 'health', summary: 'How the server is', auth: 'public', response: health, status: 200 }),

  'auth.config': route({ method: 'GET', path: '/auth/config', tag: 'auth', summary: 'What sign-up and sessions allow', auth: 'public', response: authConfig, status: 200 }),
  'auth.register': route({ method: 'POST', path: '/auth/register', tag: 'auth', summary: 'Create an account', auth: 'public', body: registration, response: session, status: 201, limit: 'register' }),
  'auth.login': route({ method: 'POST', path: '/auth/login', tag: 'auth', summary: 'Sign in', auth: 'public', body: credentials, response: session, status: 200, limit: 'login' }),
  'auth.refresh': route({ method: 'POST', path: '/auth/refresh', tag: 'auth', summary: 'Exchange a refresh token', auth: 'public', body: z.object({ refreshToken: z.string().min(1).max(4_096) }), response: refreshed, status: 200, limit: 'refresh' }),
  'auth.logout': route({ method: 'POST', path: '/auth/logout', tag: 'auth', summary: 'End the session', auth: 'public', body: z.object({ refreshToken: z.string().max(4_096).optional() }).optional(), response: nothing, status: 204 }),
  'auth.profile': route({ method: 'GET', path: '/auth/profile', tag: 'auth', summary: 'The signed-in account', auth: 'user', response: profile, status: 200 }),
  'auth.updateProfile': route({ method: 'PUT', path: '/auth/profile', tag: 'auth', summary: 'Change name or email', auth: 'user', body: profileUpdate, response: profile, status: 200 }),
  'auth.changePassword': route({ method: 'POST', path: '/auth/change-password', tag: 'auth', summary: 'Change the password and end every other session', auth: 'user', body: passwordChange, response: nothing, status: 204 }),
  'auth.socketTicket': route({ method: 'POST', path: '/auth/socket-ticket', tag: 'auth', summary: 'A ticket that opens one WebSocket, once and within 30 seconds', auth: 'user', response: socketTicket, status: 201, limit: 'ticket' }),
  'auth.forgotPassword': route({ method: 'POST', path: '/auth/forgot-password', tag: 'auth', summary: 'Send a letter with a link to a new password, if the email is known', auth: 'public', body: passwordForgotten, response: nothing, status: 202, limit: 'forgotten' }),
  'auth.resetPassword': route({ method: 'POST', path: '/auth/reset-password', tag: 'auth', summary: 'Set a new password with the token of a letter, and end every session', auth: 'public', body: passwordReset, response: nothing, status: 204, limit: 'reset' }),
  'auth.verifyEmail': route({ method: 'POST', path: '/auth/verify-email', tag: 'auth', summary: 'Verify an address with the token of an email', auth: 'public', body: emailVerification, response: nothing, status: 204, limit: 'verify' }),
  'auth.sendVerification': route({ method: 'POST', path: '/auth/send-verification', tag: 'auth', summary: 'Send the link that verifies the address again, unless it is verified', auth: 'user', response: nothing, status: 202 }),

  'lead.create': route({ method: 'POST', path: '/leads', tag: 'lead', summary: 'Ask for a demo', auth: 'public', body: leadCreation, response: lead, status: 201, limit: 'lead' }),
  'lead.list': route({ method: 'GET', path: '/leads', tag: 'lead', summary: 'All demo requests, newest first', auth: 'staff', query: page, response: z.array(lead), status: 200 }),
  'lead.get': route({ method: 'GET', path: '/leads/{id}', tag: 'lead', summary: 'One demo request', auth: 'staff', params: byId, response: lead, status: 200 }),
  'lead.update': route({ method: 'PUT', path: '/leads/{id}', tag: 'lead', summary: 'Change a demo request', auth: 'staff', params: byId, body: leadUpdate, response: lead, status: 200 }),
  'lead.remove': route({ method: 'DELETE', path: '/leads/{id}', tag: 'lead', summary: 'Remove a demo request with its comments', auth: 'staff', params: byId, response: nothing, status: 204 }),
  'lead.byStatus': route({ method: 'GET', path: '/leads/status/{status}', tag: 'lead', summary: 'Demo requests of a status', auth: 'staff', params: byLeadStatus, query: page, response: z.array(lead), status: 200 }),
  'lead.bySource': route({ method: 'GET', path: '/leads/source/{source}', tag: 'lead', summary: 'Demo requests of a source', auth: 'staff', params: byLeadSource, query: page, response: z.array(lead), status: 200 }),
  'lead.byPriority': route({ method: 'GET', path: '/leads/priority/{priority}', tag: 'lead', summary: 'Demo requests of a priority', auth: 'staff', params: byLeadPriority, query: page, response: z.array(lead), status: 200 }),
  'lead.byDate': route({ method: 'GET', path: '/leads/date-range', tag: 'lead', summary: 'Demo requests that came between two days', auth: 'staff', query: leadDateRange, response: z.array(lead), status: 200 }),
  'lead.setStatus': route({ method: 'PATCH', path: '/leads/{id}/status', tag: 'lead', summary: 'Say how far a demo request is', auth: 'staff', params: byId, body: leadStatusChange, response: lead, status: 200 }),
  'lead.addComment': route({ method: 'POST', path: '/leads/{id}/comments', tag: 'lead', summary: 'Note something on a demo request', auth: 'staff', params: byId, body: leadCommentCreation, response: leadComment, status: 201, idempotent: true }),
  'lead.comments': route({ method: 'GET', path: '/leads/{id}/comments', tag: 'lead', summary: 'Notes on a demo request, oldest first', auth: 'staff', params: byId, query: page, response: z.array(leadComment), status: 200 }),

  'deadLetter.list': route({ method: 'GET', path: '/dead-letters', tag: 'deadLetter', summary: 'Runs and commands that were given up after their last attempt, newest first', auth: 'staff', query: page, response: z.array(deadLetter), status: 200 }),
  'deadLetter.retry': route({ method: 'POST', path: '/dead-letters/{id}/retry', tag: 'deadLetter', summary: 'Let what was given up go on from where it was, once', auth: 'staff', params: byId, response: retriedWork, status: 202 }),
  'deadLetter.remove': route({ method: 'DELETE', path: '/dead-letters/{id}', tag: 'deadLetter', summary: 'Take it off the list without trying it again', auth: 'staff', params: byId, response: nothing, status: 204 }),

  'project.list': route({ method: 'GET', path: '/project', tag: 'project', summary: 'Own projects', auth: 'user', query: page, response: z.array(project), status: 200 }),
  'project.get': route({ method: 'GET', path: '/project/{id}', tag: 'project', summary: 'One project', auth: 'user', params: byProjectId, response: project, status: 200 }),
  'project.create': route({ method: 'POST', path: '/project', tag: 'project', summary: 'Create a project with an empty canvas', auth: 'user', body: projectCreation, response: project, status: 201, idempotent: true }),
  'project.update': route({ method: 'PUT', path: '/project/{id}', tag: 'project', summary: 'Change name or description', auth: 'user', params: byProjectId, body: projectUpdate, response: project, status: 200 }),
  'project.remove': route({ method: 'DELETE', path: '/project/{id}', tag: 'project', summary: 'Remove a project with its canvas, pipelines, executions and history; the last one stays', auth: 'user', params: byId, response: nothing, status: 204 }),
  'project.byStatus': route({ method: 'GET', path: '/project/status/{status}', tag: 'project', summary: 'Own projects of a status', auth: 'user', params: byProjectStatus, query: page, response: z.array(project), status: 200 }),
  'project.active': route({ method: 'GET', path: '/project/active', tag: 'project', summary: 'Own active projects', auth: 'user', query: page, response: z.array(project), status: 200 }),
  'project.byUser': route({ method: 'GET', path: '/project/user/{userId}', tag: 'project', summary: 'Projects of a user, who is the caller', auth: 'user', params: byUser, query: page, response: z.array(project), status: 200 }),
  'project.statistics': route({ method: 'GET', path: '/project/{id}/statistics', tag: 'project', summary: 'What is in a project and how its executions went', auth: 'user', params: byProjectId, response: projectStatistics, status: 200 }),
  'project.setStatus': route({ method: 'PATCH', path: '/project/{id}/status', tag: 'project', summary: 'Change the status', auth: 'user', params: byProjectId, body: projectStatusChange, response: project, status: 200 }),
  'project.canvas': route({ method: 'GET', path: '/project/{id}/canvas', tag: 'project', summary: 'The canvas of a project', auth: 'user', params: byProjectId, response: canvas, status: 200 }),
  'project.patchCanvas': route({ method: 'PATCH', path: '/project/{id}/canvas', tag: 'project', summary: 'Change records of a canvas', auth: 'user', params: byProjectId, body: canvasChange, response: canvasSaved, status: 200, bodyLimits: canvasBody, idempotent: true }),
  'project.putCanvas': route({ method: 'PUT', path: '/project/{id}/canvas', tag: 'project', summary: 'Replace a canvas', auth: 'user', params: byProjectId, body: canvasReplacement, response: canvasSaved, status: 200, bodyLimits: canvasBody, idempotent: true }),

  'agent.list': route({ method: 'GET', path: '/nuroagent', tag: 'agent', summary: 'Own agents', auth: 'user', query: page, response: z.array(agent), status: 200 }),
  'agent.get': route({ method: 'GET', path: '/nuroagent/{id}', tag: 'agent', summary: 'One agent', auth: 'user', params: byId, response: agent, status: 200 }),
  'agent.create': route({ method: 'POST', path: '/nuroagent', tag: 'agent', summary: 'Create an agent', auth: 'user', body: agentCreation, response: agent, status: 201, idempotent: true }),
  'agent.update': route({ method: 'PUT', path: '/nuroagent/{id}', tag: 'agent', summary: 'Change an agent', auth: 'user', params: byId, body: agentUpdate, response: agent, status: 200 }),
  'agent.remove': route({ method: 'DELETE', path: '/nuroagent/{id}', tag: 'agent', summary: 'Remove an agent with its relationships; what it did stays', auth: 'user', params: byId, response: nothing, status: 204 }),
  'agent.byRole': route({ method: 'GET', path: '/nuroagent/by-role/{role}', tag: 'agent', summary: 'Own agents of a role', auth: 'user', params: byRole, query: page, response: z.array(agent), status: 200 }),
  'agent.bySpecialization': route({ method: 'GET', path: '/nuroagent/by-specialization/{specialization}', tag: 'agent', summary: 'Own agents of a specialization', auth: 'user', params: bySpecialization, query: page, response: z.array(agent), status: 200 }),
  'agent.byStatus': route({ method: 'GET', path: '/nuroagent/by-status/{status}', tag: 'agent', summary: 'Own agents of a status', auth: 'user', params: byAgentStatus, query: page, response: z.array(agent), status: 200 }),
  'agent.setStatus': route({ method: 'PATCH', path: '/nuroagent/{id}/status', tag: 'agent', summary: 'Switch an agent on or off, or mark it as busy', auth: 'user', params: byId, body: agentStatusChange, response: agent, status: 200 }),
  'agent.withContextAccess': route({ method: 'GET', path: '/nuroagent/with-context-access', tag: 'agent', summary: 'Own agents that are told at least so much in a run', auth: 'user', query: byContextAccess, response: z.array(agent), status: 200 }),
  'agent.relationships': route({ method: 'GET', path: '/nuroagent/{id}/relationships', tag: 'agent', summary: 'Relationships from and to an agent, oldest first', auth: 'user', params: byId, query: page, response: z.array(agentRelationship), status: 200 }),
  'agent.relate': route({ method: 'POST', path: '/nuroagent/relationships', tag: 'agent', summary: 'Relate two own agents', auth: 'user', query: relationshipCreation, response: agentRelationship, status: 201, idempotent: true }),
  'agent.unrelate': route({ method: 'DELETE', path: '/nuroagent/relationships/{id}', tag: 'agent', summary: 'Remove a relationship', auth: 'user', params: byId, response: nothing, status: 204 }),
  'agent.availableForDelegation': route({ method: 'GET', path: '/nuroagent/{id}/available-for-delegation', tag: 'agent', summary: 'Agents that an agent may delegate to now', auth: 'user', params: byId, query: page, response: z.array(agent), status: 200 }),
  'agent.canDelegate': route({ method: 'GET', path: '/nuroagent/can-delegate', tag: 'agent', summary: 'Whether one agent may delegate to another now, and why', auth: 'user', query: delegationQuestion, response: delegationAnswer, status: 200 }),
  'agent.statistics': route({ method: 'GET', path: '/nuroagent/statistics/{id}', tag: 'agent', summary: 'What an agent was given to do and how that went', auth: 'user', params: byId, response: agentStatistics, status: 200 }),
  'agent.postApiConfiguration': route({ method: 'POST', path: '/nuroagent/api-configuration', tag: 'agent', summary: 'Set model settings and key of the agent that the body names', auth: 'user', body: apiConfigurationCreation, response: apiConfiguration, status: 201, idempotent: true }),
  'agent.apiConfiguration': route({ method: 'GET', path: '/nuroagent/{id}/api-configuration', tag: 'agent', summary: 'Model settings of an agent', auth: 'user', params: byId, response: apiConfiguration, status: 200 }),
  'agent.putApiConfiguration': route({ method: 'PUT', path: '/nuroagent/{id}/api-configuration', tag: 'agent', summary: 'Change model settings and key', auth: 'user', params: byId, body: apiConfigurationUpdate, response: apiConfiguration, status: 200 }),

  'command.execute': route({ method: 'POST', path: '/agentcommand/execute', tag: 'command', summary: 'Give an agent a command and wait up to 25 s for its result; 202 when it takes longer', auth: 'user', body: commandExecution, response: commandState, status: 200, idempotent: 'continued', limit: 'command' }),
  'command.executeAsync': route({ method: 'POST', path: '/agentcommand/execute-async', tag: 'command', summary: 'Give an agent a command', auth: 'user', body: commandExecution, response: commandState, status: 202, idempotent: true, limit: 'command' }),
  'command.status': route({ method: 'GET', path: '/agentcommand/status/{id}', tag: 'command', summary: 'How a command stands', auth: 'user', params: byId, response: commandState, status: 200 }),
  'command.cancel': route({ method: 'POST', path: '/agentcommand/cancel/{id}', tag: 'command', summary: 'End a command and the model call that is under way for it', auth: 'user', params: byId, response: commandState, status: 200 }),
  'command.history': route({ method: 'GET', path: '/agentcommand/history/{agentId}', tag: 'command', summary: 'Commands of an agent, newest first', auth: 'user', params: byAgent, query: commandHistoryQuery, response: z.array(command), status: 200 }),
  'command.clearHistory': route({ method: 'DELETE', path: '/agentcommand/history/{agentId}', tag: 'command', summary: 'Remove the commands of an agent that have ended', auth: 'user', params: byAgent, response: nothing, status: 204 }),
  'command.statistics': route({ method: 'GET', path: '/agentcommand/statistics/{agentId}', tag: 'command', summary: 'How the commands of an agent went', auth: 'user', params: byAgent, response: agentStatistics, status: 200 }),
  'command.availability': route({ method: 'GET', path: '/agentcommand/availability/{agentId}', tag: 'command', summary: 'Whether an agent would begin at once', auth: 'user', params: byAgent, response: agentAvailability, status: 200 }),
  'command.load': route({ method: 'GET', path: '/agentcommand/load/{agentId}', tag: 'command', summary: 'How much an agent has to do', auth: 'user', params: byAgent, response: agentLoad, status: 200 }),
  'command.openai': route({ method: 'POST', path: '/agentcommand/openai/{agentId}', tag: 'command', summary: "A chat completion through an agent's provider; 202 with a command when it takes longer than 25 s", auth: 'user', params: byAgent, body: chatRequest, response: chatCompletion.or(commandState), status: 200, idempotent: 'continued', limit: 'command', bodyLimits: listBody }),

  'thought.publish': route({ method: 'POST', path: '/agentthought/publish', tag: 'thought', summary: 'Store a thought of an agent and tell it', auth: 'user', body: thoughtPublication, response: thought, status: 201, idempotent: true }),
  'thought.busStatus': route({ method: 'GET', path: '/agentthought/nats-status', tag: 'thought', summary: 'Which bus runs, and whether it is connected', auth: 'user', response: busStatus, status: 200 }),
  'thought.followAgent': route({ method: 'GET', path: '/agentthought/subscribe/{agentId}', tag: 'thought', summary: 'Thoughts of an agent as they come', auth: 'user', params: byAgent, response: subscription, status: 200, events: true }),
  'thought.followProject': route({ method: 'GET', path: '/agentthought/subscribe/project/{id}', tag: 'thought', summary: 'Thoughts in a project as they come', auth: 'user', params: byProjectId, response: subscription, status: 200, events: true }),
  'thought.followUser': route({ method: 'GET', path: '/agentthought/subscribe/user/{id}', tag: 'thought', summary: 'Thoughts of all agents of a user, who is the caller, as they come', auth: 'user', params: byId, response: subscription, status: 200, events: true }),
  'thought.followGlobal': route({ method: 'GET', path: '/agentthought/subscribe/global', tag: 'thought', summary: 'All thoughts that the caller may hear, as they come', auth: 'user', response: subscription, status: 200, events: true }),
  'thought.test': route({ method: 'POST', path: '/agentthought/test/{id}', tag: 'thought', summary: 'Try the bus with a thought of an agent that is not stored', auth: 'user', params: byId, response: thoughtTest, status: 200 }),
  'thought.ofAgent': route({ method: 'GET', path: '/agentthought/agent/{id}', tag: 'thought', summary: 'Thoughts of an agent, newest first', auth: 'user', params: byId, query: thoughtQuery, response: z.array(thought), status: 200 }),
  'thought.ofProject': route({ method: 'GET', path: '/agentthought/project/{id}', tag: 'thought', summary: 'Thoughts in a project, newest first', auth: 'user', params: byProjectId, query: thoughtQuery, response: z.array(thought), status: 200 }),
  'thought.ofUser': route({ method: 'GET', path: '/agentthought/user/{id}', tag: 'thought', summary: 'Thoughts of all agents of a user, who is the caller, newest first', auth: 'user', params: byId, query: thoughtQuery, response: z.array(thought), status: 200 }),
  'thought.all': route({ method: 'GET', path: '/agentthought/global', tag: 'thought', summary: 'All thoughts that the caller may read, newest first', auth: 'user', query: thoughtQuery, response: z.array(thought), status: 200 }),

  'pipeline.list': route({ method: 'GET', path: '/Pipeline', tag: 'pipeline', summary: 'Own pipelines', auth: 'user', query: page, response: z.array(pipeline), status: 200 }),
  'pipeline.get': route({ method: 'GET', path: '/Pipeline/{id}', tag: 'pipeline', summary: 'One pipeline', auth: 'user', params: byId, response: pipeline, status: 200 }),
  'pipeline.create': route({ method: 'POST', path: '/Pipeline', tag: 'pipeline', summary: 'Create a pipeline', auth: 'user', body: pipelineCreation, response: pipeline, status: 201, idempotent: true }),
  'pipeline.remove': route({ method: 'DELETE', path: '/Pipeline/{id}', tag: 'pipeline', summary: 'Hide a pipeline; its executions stay', auth: 'user', params: byId, response: nothing, status: 204 }),
  'pipeline.update': route({ method: 'PUT', path: '/Pipeline/{id}', tag: 'pipeline', summary: 'Change a pipeline, or all its steps at once', auth: 'user', params: byId, body: pipelineUpdate, response: pipeline, status: 200 }),
  'pipeline.setStatus': route({ method: 'PATCH', path: '/Pipeline/{id}/status', tag: 'pipeline', summary: 'Make it a draft, ready, or archived', auth: 'user', params: byId, body: pipelineStatusChange, response: pipeline, status: 200 }),
  'pipeline.diagnostics': route({ method: 'GET', path: '/Pipeline/{id}/diagnostics', tag: 'pipeline', summary: 'What is wrong with a pipeline', auth: 'user', params: byId, response: pipelineDiagnostics, status: 200 }),
  'pipeline.steps': route({ method: 'GET', path: '/Pipeline/{id}/steps', tag: 'pipeline', summary: 'The steps in order', auth: 'user', params: byId, query: page, response: z.array(pipelineStep), status: 200 }),
  'pipeline.addStep': route({ method: 'POST', path: '/Pipeline/{id}/steps', tag: 'pipeline', summary: 'Add a step, at its order or at the end', auth: 'user', params: byId, body: pipelineStepCreation, response: pipelineStep, status: 201, idempotent: true }),
  'pipeline.updateStep': route({ method: 'PUT', path: '/Pipeline/steps/{stepId}', tag: 'pipeline', summary: 'Change or move a step', auth: 'user', params: byStep, body: pipelineStepUpdate, response: pipelineStep, status: 200 }),
  'pipeline.removeStep': route({ method: 'DELETE', path: '/Pipeline/steps/{stepId}', tag: 'pipeline', summary: 'Take a step out', auth: 'user', params: byStep, response: nothing, status: 204 }),
  'pipeline.reorderSteps': route({ method: 'PUT', path: '/Pipeline/{id}/steps/reorder', tag: 'pipeline', summary: 'Put the steps in another order', auth: 'user', params: byId, body: pipelineStepOrder, response: z.array(pipelineStep), status: 200 }),

  'execution.list': route({ method: 'GET', path: '/PipelineExecution', tag: 'execution', summary: 'Own executions, newest first', auth: 'user', query: executionQuery, response: z.array(execution), status: 200 }),
  'execution.start': route({ method: 'POST', path: '/PipelineExecution/start', tag: 'execution', summary: 'Start a durable execution', auth: 'user', body: executionStart, response: execution, status: 202, idempotent: true, bodyLimits: listBody }),
  'execution.get': route({ method: 'GET', path: '/PipelineExecution/{id}', tag: 'execution', summary: 'One execution', auth: 'user', params: byId, response: execution, status: 200 }),
  'execution.details': route({ method: 'GET', path: '/PipelineExecution/{id}/details', tag: 'execution', summary: 'An execution with its steps', auth: 'user', params: byId, response: executionDetails, status: 200 }),
  'execution.logs': route({ method: 'GET', path: '/PipelineExecution/{id}/logs', tag: 'execution', summary: 'The ordered event log', auth: 'user', params: byId, query: logsQuery, response: z.array(executionEvent), status: 200 }),
  'execution.pause': route({ method: 'POST', path: '/PipelineExecution/{id}/pause', tag: 'execution', summary: 'Finish the step under way, start no other', auth: 'user', params: byId, response: execution, status: 200 }),
  'execution.resume': route({ method: 'POST', path: '/PipelineExecution/{id}/resume', tag: 'execution', summary: 'Go on', auth: 'user', params: byId, response: execution, status: 200 }),
  'execution.stop': route({ method: 'POST', path: '/PipelineExecution/{id}/stop', tag: 'execution', summary: 'Cancel, the step under way too', auth: 'user', params: byId, response: execution, status: 200 }),
  'execution.nextStep': route({ method: 'POST', path: '/PipelineExecution/{id}/next-step', tag: 'execution', summary: 'Run one step of a paused execution', auth: 'user', params: byId, response: execution, status: 200 }),
  'execution.addContext': route({ method: 'POST', path: '/PipelineExecution/{id}/context', tag: 'execution', summary: 'Hand text to the later steps', auth: 'user', params: byId, body: userInputContext, response: execution, status: 200, idempotent: true }),
  'execution.create': route({ method: 'POST', path: '/PipelineExecution', tag: 'execution', summary: 'Make an execution that waits for its start', auth: 'user', body: executionCreation, response: execution, status: 201, idempotent: true, bodyLimits: listBody }),
  'execution.update': route({ method: 'PUT', path: '/PipelineExecution/{id}', tag: 'execution', summary: 'Change task, priority, time or pauses of an execution that is not at work', auth: 'user', params: byId, body: executionSettings, response: execution, status: 200 }),
  'execution.remove': route({ method: 'DELETE', path: '/PipelineExecution/{id}', tag: 'execution', summary: 'Remove an execution that has ended or never began, with its log, files and history item', auth: 'user', params: byId, response: nothing, status: 204 }),
  'execution.byPipeline': route({ method: 'GET', path: '/PipelineExecution/pipeline/{id}', tag: 'execution', summary: 'Executions of a pipeline, newest first', auth: 'user', params: byId, query: page, response: z.array(execution), status: 200 }),
  'execution.byStatus': route({ method: 'GET', path: '/PipelineExecution/status/{status}', tag: 'execution', summary: 'Own executions of a status, newest first', auth: 'user', params: byExecutionStatus, query: page, response: z.array(execution), status: 200 }),
  'execution.byUser': route({ method: 'GET', path: '/PipelineExecution/user/{userId}', tag: 'execution', summary: 'Executions of a user, who is the caller', auth: 'user', params: byUser, query: page, response: z.array(execution), status: 200 }),
  'execution.readiness': route({ method: 'GET', path: '/PipelineExecution/pipeline/{id}/readiness', tag: 'execution', summary: 'Whether a pipeline can be started, and what stands in its way', auth: 'user', params: byId, response: pipelineReadiness, status: 200 }),
  'execution.statistics': route({ method: 'GET', path: '/PipelineExecution/{id}/statistics', tag: 'execution', summary: 'Steps, tokens, times and attempts in total', auth: 'user', params: byId, response: executionStatistics, status: 200 }),
  'execution.memory': route({ method: 'GET', path: '/PipelineExecution/{id}/memory', tag: 'execution', summary: 'What each step left for the next ones', auth: 'user', params: byId, response: executionMemory, status: 200 }),
  'execution.runStep': route({ method: 'POST', path: '/PipelineExecution/{id}/steps/{stepId}', tag: 'execution', summary: 'Run the named step of a paused execution, which must be the next one', auth: 'user', params: byId.extend({ stepId: id }), response: execution, status: 200, idempotent: true }),
  'execution.files': route({ method: 'GET', path: '/PipelineExecution/{id}/files', tag: 'execution', summary: 'The files that the agents handed over, and what was not kept', auth: 'user', params: byId, response: executionFiles, status: 200 }),
  'execution.fileContent': route({ method: 'GET', path: '/PipelineExecution/{id}/files/content', tag: 'execution', summary: 'What a file says', auth: 'user', params: byId, query: byFilePath, response: z.string(), produces: 'text/plain', status: 200 }),
  'execution.fileComparison': route({ method: 'GET', path: '/PipelineExecution/{id}/files/comparison', tag: 'execution', summary: 'How a file differs from its version before', auth: 'user', params: byId, query: byFilePath, response: fileComparison, status: 200 }),
  'execution.archive': route({ method: 'GET', path: '/PipelineExecution/{id}/archive', tag: 'execution', summary: 'All files as a ZIP', auth: 'user', params: byId, response: z.instanceof(Uint8Array), produces: 'application/zip', status: 200 }),
  'execution.pullRequest': route({ method: 'GET', path: '/PipelineExecution/{id}/pull-request', tag: 'execution', summary: 'What the files change in the project', auth: 'user', params: byId, response: pullRequest, status: 200 }),
  'execution.patch': route({ method: 'GET', path: '/PipelineExecution/{id}/patch', tag: 'execution', summary: 'The same as a patch', auth: 'user', params: byId, response: z.string(), produces: 'text/x-patch', status: 200 }),

  'result.list': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}', tag: 'result', summary: 'History of a project, newest first', auth: 'user', params: byProject, query: page, response: z.array(resultItem), status: 200 }),
  'result.get': route({ method: 'GET', path: '/ProjectResultHistory/{id}', tag: 'result', summary: 'One history item', auth: 'user', params: byId, response: resultItem, status: 200 }),
  'result.create': route({ method: 'POST', path: '/ProjectResultHistory', tag: 'result', summary: 'Record a result', auth: 'user', body: resultCreation, response: resultItem, status: 201, idempotent: true }),
  'result.remove': route({ method: 'DELETE', path: '/ProjectResultHistory/{id}', tag: 'result', summary: 'Remove a history item', auth: 'user', params: byId, response: nothing, status: 204 }),
  'result.update': route({ method: 'PUT', path: '/ProjectResultHistory/{id}', tag: 'result', summary: 'Change a history item, or give it its response', auth: 'user', params: byId, body: resultUpdate, response: resultItem, status: 200 }),
  'result.byType': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}/type/{type}', tag: 'result', summary: 'History items of a type, newest first', auth: 'user', params: byResultType, query: page, response: z.array(resultItem), status: 200 }),
  'result.byStatus': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}/status/{status}', tag: 'result', summary: 'History items of a status, newest first', auth: 'user', params: byResultStatus, query: page, response: z.array(resultItem), status: 200 }),
  'result.byUser': route({ method: 'GET', path: '/ProjectResultHistory/user/{userId}/project/{projectId}', tag: 'result', summary: 'History of a user, who is the caller, in a project', auth: 'user', params: byUser.extend({ projectId }), query: page, response: z.array(resultItem), status: 200 }),
  'result.search': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}/search', tag: 'result', summary: 'Look through the history of a project, newest first', auth: 'user', params: byProject, query: resultSearch, response: z.array(resultItem), status: 200 }),
  'result.statistics': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}/statistics', tag: 'result', summary: 'How the runs of a project ended', auth: 'user', params: byProject, response: resultStatistics, status: 200 }),
  'result.recent': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}/recent', tag: 'result', summary: 'The newest history items', auth: 'user', params: byProject, query: recentQuery, response: z.array(resultItem), status: 200 }),
  'result.fromExecution': route({ method: 'POST', path: '/ProjectResultHistory/from-pipeline-execution/{pipelineExecutionId}', tag: 'result', summary: 'The history item of an execution, made from what it did where there is none', auth: 'user', params: z.object({ pipelineExecutionId: id }), response: resultItem, status: 200 }),
} as const satisfies Record<string, Route>;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
