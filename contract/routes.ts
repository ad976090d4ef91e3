import { z } from 'zod';
import {
  accountDeletion,
  authConfig,
  credentials,
  emailVerification,
  exportLink,
  leavingAccount,
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
  agentEdit,
  agentModels,
  agentModelsSet,
  agentStatistics,
  agentStatusChange,
  apiConfiguration,
  apiConfigurationCreation,
  apiConfigurationUpdate,
  byAgentStatus,
  byContextAccess,
  byRole,
  bySpecialization,
} from './agent.ts';
import { agentChangePage, agentChangeQuery, promptChange } from './agent-change.ts';
import { agentRelationship, delegationAnswer, delegationQuestion, relationshipCreation } from './agent-relationship.ts';
import { apiKey, apiKeyCreation, createdApiKey } from './api-key.ts';
import { answerBody, canvasBody, fileBody, listBody, pipelineBody } from './body-limits.ts';
import { budget, budgetQuery, budgets, budgetUpdate, forecast, forecastRequest } from './budget.ts';
import { canvas, canvasChange, canvasReplacement, canvasSaved } from './canvas.ts';
import { byVersion, canvasMark, canvasMarkSetting, versionComparison, versionPage, versionPair, versionQuery } from './canvas-version.ts';
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
import { compareQuery, comparison } from './executions/compare.ts';
import { deadLetter, retriedWork } from './executions/dead-letter.ts';
import {
  byExecutionStatus,
  execution,
  executionCreation,
  executionDetails,
  executionLink,
  executionMemory,
  executionQuery,
  executionSettings,
  executionStart,
  executionStatistics,
  logsQuery,
  stepRun,
  userInputContext,
} from './executions/execution.ts';
import { executionEvent } from './executions/execution-event.ts';
import { byFilePath, executionFiles, fileComparison, pullRequest } from './executions/file.ts';
import { fork, forkRequest } from './executions/fork.ts';
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
} from './executions/pipeline.ts';
import { followUp, gitTargetUpdate, projectGitTarget, publication, publicationPlan, publishRequest } from './executions/publishing.ts';
import {
  byToken,
  linkedQuestion,
  question,
  questionAnswer,
  questionDetails,
  questionLink,
  questionQuery,
  runHolds,
} from './executions/question.ts';
import {
  byResultStatus,
  byResultType,
  recentQuery,
  resultCreation,
  resultItem,
  resultSearch,
  resultStatistics,
  resultUpdate,
} from './executions/result.ts';
import { busStatus, subscription, thought, thoughtPublication, thoughtQuery, thoughtTest } from './executions/thought.ts';
import { toolCall, toolCallQuery } from './executions/tool-call.ts';
import { health } from './health.ts';
import { byDelivery, byHook, createdHook, hookCreation, hookDelivery, hookOut, hookUpdate } from './hook.ts';
import {
  byInputPath,
  fileBytes,
  gitAddress,
  inputAddition,
  inputFile,
  inputFilesPage,
  inputFilesQuery,
  inputSet,
  inputSetCreation,
} from './input.ts';
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
  connectionCreation,
  connectionModels,
  connectionQuery,
  connectionRemoval,
  connectionTest,
  connectionTestRequest,
  connectionUpdate,
  connectionUse,
  connectionUsed,
  knownModels,
  localServer,
  modelConnection,
  modelQuery,
} from './model-connection.ts';
import { byProjectStatus, project, projectCreation, projectId, projectStatistics, projectStatusChange, projectUpdate } from './project.ts';
import { type Route, route } from './route.ts';
import { runnerState } from './runner.ts';
import { byFreedKind, storageRemoval, storageRemoved, storageUse } from './storage.ts';
import {
  byTeamVersion,
  promptRestoration,
  promptsRestored,
  teamCheck,
  teamVersion,
  teamVersionCreation,
  teamVersionItem,
  teamVersionPage,
  teamVersionQuery,
} from './team-version.ts';
import {
  agentTools,
  agentToolsUpdate,
  byProjectAgent,
  byServerTool,
  byToolServer,
  serverTool,
  toolAcceptance,
  toolPolicyChange,
  toolQuery,
  toolServer,
  toolServerCreation,
  toolServerTest,
  toolServerUpdate,
  toolSignIn,
  toolSignInEnd,
} from './tool-server.ts';

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
  'health.get': route({ method: 'GET', path: '/health', tag: 'health', auth: 'public', response: health, status: 200 }),

  'auth.config': route({ method: 'GET', path: '/auth/config', tag: 'auth', auth: 'public', response: authConfig, status: 200 }),
  'auth.register': route({ method: 'POST', path: '/auth/register', tag: 'auth', auth: 'public', body: registration, response: session, status: 201, limit: 'register' }),
  'auth.login': route({ method: 'POST', path: '/auth/login', tag: 'auth', auth: 'public', body: credentials, response: session, status: 200, limit: 'login' }),
  'auth.refresh': route({ method: 'POST', path: '/auth/refresh', tag: 'auth', auth: 'public', body: z.object({ refreshToken: z.string().min(1).max(4_096) }), response: refreshed, status: 200, limit: 'refresh' }),
  'auth.logout': route({ method: 'POST', path: '/auth/logout', tag: 'auth', auth: 'public', body: z.object({ refreshToken: z.string().max(4_096).optional() }).optional(), response: nothing, status: 204 }),
  'auth.profile': route({ method: 'GET', path: '/auth/profile', tag: 'auth', auth: 'user', response: profile, status: 200, isOpenToLeaving: true }),
  'auth.updateProfile': route({ method: 'PUT', path: '/auth/profile', tag: 'auth', auth: 'user', body: profileUpdate, response: profile, status: 200, stores: 'work' }),
  'auth.changePassword': route({ method: 'POST', path: '/auth/change-password', tag: 'auth', auth: 'user', body: passwordChange, response: nothing, status: 204, stores: 'work' }),
  'auth.socketTicket': route({ method: 'POST', path: '/auth/socket-ticket', tag: 'auth', auth: 'user', response: socketTicket, status: 201, limit: 'ticket', stores: 'work' }),
  'auth.forgotPassword': route({ method: 'POST', path: '/auth/forgot-password', tag: 'auth', auth: 'public', body: passwordForgotten, response: nothing, status: 202, limit: 'forgotten' }),
  'auth.resetPassword': route({ method: 'POST', path: '/auth/reset-password', tag: 'auth', auth: 'public', body: passwordReset, response: nothing, status: 204, limit: 'reset' }),
  'auth.verifyEmail': route({ method: 'POST', path: '/auth/verify-email', tag: 'auth', auth: 'public', body: emailVerification, response: nothing, status: 204, limit: 'verify' }),
  'auth.sendVerification': route({ method: 'POST', path: '/auth/send-verification', tag: 'auth', auth: 'user', response: nothing, status: 202, stores: 'work' }),

  'storage.get': route({ method: 'GET', path: '/storage', tag: 'storage', auth: 'user', response: storageUse, status: 200 }),
  'storage.free': route({ method: 'DELETE', path: '/storage/{kind}', tag: 'storage', auth: 'user', params: byFreedKind, query: storageRemoval, response: storageRemoved, status: 200 }),

  'account.exportLink': route({ method: 'POST', path: '/account/export-link', tag: 'account', auth: 'user', response: exportLink, status: 201, limit: 'export', isOpenToLeaving: true, stores: 'work' }),
  'account.export': route({ method: 'GET', path: '/account/export', tag: 'account', auth: 'public', query: z.object({ token: z.string().min(1).max(4_096) }), response: z.instanceof(Uint8Array), status: 200, produces: 'application/zip' }),
  'account.delete': route({ method: 'POST', path: '/account/deletion', tag: 'account', auth: 'user', body: accountDeletion, response: leavingAccount, status: 202, stores: 'work' }),
  'account.takeBack': route({ method: 'DELETE', path: '/account/deletion', tag: 'account', auth: 'user', response: nothing, status: 204, isOpenToLeaving: true }),

  'apiKey.list': route({ method: 'GET', path: '/api-keys', tag: 'apiKey', auth: 'user', response: z.array(apiKey), status: 200 }),
  'apiKey.create': route({ method: 'POST', path: '/api-keys', tag: 'apiKey', auth: 'user', body: apiKeyCreation, response: createdApiKey, status: 201, stores: 'work' }),
  'apiKey.revoke': route({ method: 'DELETE', path: '/api-keys/{id}', tag: 'apiKey', auth: 'user', params: byId, response: nothing, status: 204 }),

  'lead.create': route({ method: 'POST', path: '/leads', tag: 'lead', auth: 'public', body: leadCreation, response: lead, status: 201, limit: 'lead' }),
  'lead.list': route({ method: 'GET', path: '/leads', tag: 'lead', auth: 'staff', query: page, response: z.array(lead), status: 200 }),
  'lead.get': route({ method: 'GET', path: '/leads/{id}', tag: 'lead', auth: 'staff', params: byId, response: lead, status: 200 }),
  'lead.update': route({ method: 'PUT', path: '/leads/{id}', tag: 'lead', auth: 'staff', params: byId, body: leadUpdate, response: lead, status: 200 }),
  'lead.remove': route({ method: 'DELETE', path: '/leads/{id}', tag: 'lead', auth: 'staff', params: byId, response: nothing, status: 204 }),
  'lead.byStatus': route({ method: 'GET', path: '/leads/status/{status}', tag: 'lead', auth: 'staff', params: byLeadStatus, query: page, response: z.array(lead), status: 200 }),
  'lead.bySource': route({ method: 'GET', path: '/leads/source/{source}', tag: 'lead', auth: 'staff', params: byLeadSource, query: page, response: z.array(lead), status: 200 }),
  'lead.byPriority': route({ method: 'GET', path: '/leads/priority/{priority}', tag: 'lead', auth: 'staff', params: byLeadPriority, query: page, response: z.array(lead), status: 200 }),
  'lead.byDate': route({ method: 'GET', path: '/leads/date-range', tag: 'lead', auth: 'staff', query: leadDateRange, response: z.array(lead), status: 200 }),
  'lead.setStatus': route({ method: 'PATCH', path: '/leads/{id}/status', tag: 'lead', auth: 'staff', params: byId, body: leadStatusChange, response: lead, status: 200 }),
  'lead.addComment': route({ method: 'POST', path: '/leads/{id}/comments', tag: 'lead', auth: 'staff', params: byId, body: leadCommentCreation, response: leadComment, status: 201, idempotent: true }),
  'lead.comments': route({ method: 'GET', path: '/leads/{id}/comments', tag: 'lead', auth: 'staff', params: byId, query: page, response: z.array(leadComment), status: 200 }),

  'deadLetter.list': route({ method: 'GET', path: '/dead-letters', tag: 'deadLetter', auth: 'staff', query: page, response: z.array(deadLetter), status: 200 }),
  'deadLetter.retry': route({ method: 'POST', path: '/dead-letters/{id}/retry', tag: 'deadLetter', auth: 'staff', params: byId, response: retriedWork, status: 202 }),
  'deadLetter.remove': route({ method: 'DELETE', path: '/dead-letters/{id}', tag: 'deadLetter', auth: 'staff', params: byId, response: nothing, status: 204 }),

  'project.list': route({ method: 'GET', path: '/project', tag: 'project', auth: 'user', scope: 'read', query: page, response: z.array(project), status: 200 }),
  'project.get': route({ method: 'GET', path: '/project/{id}', tag: 'project', auth: 'user', scope: 'read', params: byProjectId, response: project, status: 200 }),
  'project.create': route({ method: 'POST', path: '/project', tag: 'project', auth: 'user', scope: 'edit', body: projectCreation, response: project, status: 201, idempotent: true }),
  'project.update': route({ method: 'PUT', path: '/project/{id}', tag: 'project', auth: 'user', scope: 'edit', params: byProjectId, body: projectUpdate, response: project, status: 200, stores: 'edits' }),
  'project.remove': route({ method: 'DELETE', path: '/project/{id}', tag: 'project', auth: 'user', scope: 'edit', params: byId, response: nothing, status: 204 }),
  'project.byStatus': route({ method: 'GET', path: '/project/status/{status}', tag: 'project', auth: 'user', scope: 'read', params: byProjectStatus, query: page, response: z.array(project), status: 200 }),
  'project.active': route({ method: 'GET', path: '/project/active', tag: 'project', auth: 'user', scope: 'read', query: page, response: z.array(project), status: 200 }),
  'project.byUser': route({ method: 'GET', path: '/project/user/{userId}', tag: 'project', auth: 'user', scope: 'read', params: byUser, query: page, response: z.array(project), status: 200 }),
  'project.statistics': route({ method: 'GET', path: '/project/{id}/statistics', tag: 'project', auth: 'user', scope: 'read', params: byProjectId, response: projectStatistics, status: 200 }),
  'project.setStatus': route({ method: 'PATCH', path: '/project/{id}/status', tag: 'project', auth: 'user', scope: 'edit', params: byProjectId, body: projectStatusChange, response: project, status: 200, stores: 'work' }),
  'project.canvas': route({ method: 'GET', path: '/project/{id}/canvas', tag: 'project', auth: 'user', scope: 'read', params: byProjectId, response: canvas, status: 200 }),
  'project.patchCanvas': route({ method: 'PATCH', path: '/project/{id}/canvas', tag: 'project', auth: 'user', scope: 'edit', params: byProjectId, body: canvasChange, response: canvasSaved, status: 200, bodyLimits: canvasBody, idempotent: true, stores: 'edits', copies: 3 }),
  'project.putCanvas': route({ method: 'PUT', path: '/project/{id}/canvas', tag: 'project', auth: 'user', scope: 'edit', params: byProjectId, body: canvasReplacement, response: canvasSaved, status: 200, bodyLimits: canvasBody, idempotent: true, stores: 'edits', copies: 3 }),

  'project.versions': route({ method: 'GET', path: '/project/{id}/versions', tag: 'project', auth: 'user', scope: 'read', params: byProjectId, query: versionQuery, response: versionPage, status: 200 }),
  'project.compareVersions': route({ method: 'GET', path: '/project/{id}/versions/compare', tag: 'project', auth: 'user', scope: 'read', params: byProjectId, query: versionPair, response: versionComparison, status: 200 }),
  'project.version': route({ method: 'GET', path: '/project/{id}/versions/{version}', tag: 'project', auth: 'user', scope: 'read', params: byProjectId.extend(byVersion.shape), response: canvas, status: 200 }),
  'project.promptChanges': route({ method: 'GET', path: '/project/{id}/prompt-changes', tag: 'project', auth: 'user', scope: 'read', params: byProjectId, query: page, response: z.array(promptChange), status: 200 }),
  'teamVersion.list': route({ method: 'GET', path: '/project/{id}/team-versions', tag: 'project', auth: 'user', scope: 'read', params: byProjectId, query: teamVersionQuery, response: teamVersionPage, status: 200 }),
  'teamVersion.create': route({ method: 'POST', path: '/project/{id}/team-versions', tag: 'project', auth: 'user', scope: 'edit', params: byProjectId, body: teamVersionCreation, response: teamVersionItem, status: 201, idempotent: true }),
  'teamVersion.get': route({ method: 'GET', path: '/project/{id}/team-versions/{version}', tag: 'project', auth: 'user', scope: 'read', params: byProjectId.extend(byTeamVersion.shape), response: teamVersion, status: 200 }),
  'teamVersion.check': route({ method: 'GET', path: '/project/{id}/team-versions/{version}/check', tag: 'project', auth: 'user', scope: 'read', params: byProjectId.extend(byTeamVersion.shape), response: teamCheck, status: 200 }),
  'teamVersion.restorePrompts': route({ method: 'POST', path: '/project/{id}/team-versions/{version}/prompts', tag: 'project', auth: 'user', scope: 'edit', params: byProjectId.extend(byTeamVersion.shape), body: promptRestoration, response: promptsRestored, status: 200, stores: 'edits' }),
  'project.putMark': route({ method: 'PUT', path: '/project/{id}/versions/{version}/mark', tag: 'project', auth: 'user', scope: 'edit', params: byProjectId.extend(byVersion.shape), body: canvasMarkSetting, response: canvasMark, status: 200, stores: 'edits' }),
  'project.removeMark': route({ method: 'DELETE', path: '/project/{id}/versions/{version}/mark', tag: 'project', auth: 'user', scope: 'edit', params: byProjectId.extend(byVersion.shape), response: nothing, status: 204 }),

  'project.gitTarget': route({ method: 'GET', path: '/project/{id}/git-target', tag: 'project', auth: 'user', scope: 'read', params: byProjectId, response: projectGitTarget, status: 200 }),
  'project.putGitTarget': route({ method: 'PUT', path: '/project/{id}/git-target', tag: 'project', auth: 'user', params: byProjectId, body: gitTargetUpdate, response: projectGitTarget, status: 200, limit: 'publish', stores: 'edits' }),
  'project.removeGitTarget': route({ method: 'DELETE', path: '/project/{id}/git-target', tag: 'project', auth: 'user', params: byProjectId, response: nothing, status: 204 }),

  'hook.list': route({ method: 'GET', path: '/project/{id}/hooks', tag: 'hook', auth: 'user', params: byProjectId, response: z.array(hookOut), status: 200 }),
  'hook.create': route({ method: 'POST', path: '/project/{id}/hooks', tag: 'hook', auth: 'user', params: byProjectId, body: hookCreation, response: createdHook, status: 201, limit: 'toolServer' }),
  'hook.update': route({ method: 'PUT', path: '/project/{id}/hooks/{hookId}', tag: 'hook', auth: 'user', params: byProjectId.extend(byHook.shape), body: hookUpdate, response: hookOut, status: 200, limit: 'toolServer', stores: 'edits' }),
  'hook.remove': route({ method: 'DELETE', path: '/project/{id}/hooks/{hookId}', tag: 'hook', auth: 'user', params: byProjectId.extend(byHook.shape), response: nothing, status: 204 }),
  'hook.test': route({ method: 'POST', path: '/project/{id}/hooks/{hookId}/test', tag: 'hook', auth: 'user', params: byProjectId.extend(byHook.shape), response: hookDelivery, status: 202, limit: 'toolServer', stores: 'work' }),
  'hook.deliveries': route({ method: 'GET', path: '/project/{id}/hooks/{hookId}/deliveries', tag: 'hook', auth: 'user', params: byProjectId.extend(byHook.shape), query: page, response: z.array(hookDelivery), status: 200 }),
  'hook.resend': route({ method: 'POST', path: '/project/{id}/hooks/{hookId}/deliveries/{deliveryId}/resend', tag: 'hook', auth: 'user', params: byProjectId.extend(byDelivery.shape), response: hookDelivery, status: 202, limit: 'toolServer', stores: 'work' }),

  'toolServer.list': route({ method: 'GET', path: '/project/{id}/tool-servers', tag: 'toolServer', auth: 'user', params: byProjectId, response: z.array(toolServer), status: 200 }),
  'toolServer.create': route({ method: 'POST', path: '/project/{id}/tool-servers', tag: 'toolServer', auth: 'user', params: byProjectId, body: toolServerCreation, response: toolServer, status: 201, idempotent: true, limit: 'toolServer' }),
  'toolServer.update': route({ method: 'PUT', path: '/project/{id}/tool-servers/{serverId}', tag: 'toolServer', auth: 'user', params: byToolServer, body: toolServerUpdate, response: toolServer, status: 200, limit: 'toolServer', stores: 'edits' }),
  'toolServer.remove': route({ method: 'DELETE', path: '/project/{id}/tool-servers/{serverId}', tag: 'toolServer', auth: 'user', params: byToolServer, response: nothing, status: 204 }),
  'toolServer.test': route({ method: 'POST', path: '/project/{id}/tool-servers/{serverId}/test', tag: 'toolServer', auth: 'user', params: byToolServer, response: toolServerTest, status: 200, limit: 'toolServer', stores: 'work' }),
  'toolServer.signIn': route({ method: 'POST', path: '/project/{id}/tool-servers/{serverId}/sign-in', tag: 'toolServer', auth: 'user', params: byToolServer, response: toolSignIn, status: 200, limit: 'toolServer', stores: 'work' }),
  'toolServer.endSignIn': route({ method: 'PUT', path: '/project/{id}/tool-servers/{serverId}/sign-in', tag: 'toolServer', auth: 'user', params: byToolServer, body: toolSignInEnd, response: toolServer, status: 200, limit: 'toolServer', stores: 'work' }),
  'toolServer.tools': route({ method: 'GET', path: '/project/{id}/tools', tag: 'toolServer', auth: 'user', params: byProjectId, query: toolQuery, response: z.array(serverTool), status: 200 }),
  'toolServer.setPolicy': route({ method: 'PUT', path: '/project/{id}/tools/{toolId}/policy', tag: 'toolServer', auth: 'user', params: byServerTool, body: toolPolicyChange, response: serverTool, status: 200, stores: 'work' }),
  'toolServer.accept': route({ method: 'POST', path: '/project/{id}/tools/{toolId}/accept', tag: 'toolServer', auth: 'user', params: byServerTool, body: toolAcceptance, response: serverTool, status: 200, stores: 'work' }),
  'toolServer.agentTools': route({ method: 'GET', path: '/project/{id}/agents/{agentId}/tools', tag: 'toolServer', auth: 'user', params: byProjectAgent, response: agentTools, status: 200 }),
  'toolServer.putAgentTools': route({ method: 'PUT', path: '/project/{id}/agents/{agentId}/tools', tag: 'toolServer', auth: 'user', params: byProjectAgent, body: agentToolsUpdate, response: agentTools, status: 200, stores: 'work' }),

  'modelConnection.list': route({ method: 'GET', path: '/model-connections', tag: 'modelConnection', auth: 'user', query: connectionQuery, response: z.array(modelConnection), status: 200 }),
  'modelConnection.local': route({ method: 'GET', path: '/model-connections/local', tag: 'modelConnection', auth: 'user', response: z.array(localServer), status: 200 }),
  'modelConnection.known': route({ method: 'GET', path: '/model-connections/known', tag: 'modelConnection', auth: 'user', response: knownModels, status: 200 }),
  'modelConnection.create': route({ method: 'POST', path: '/model-connections', tag: 'modelConnection', auth: 'user', body: connectionCreation, response: modelConnection, status: 201, idempotent: true, limit: 'modelConnection' }),
  'modelConnection.update': route({ method: 'PUT', path: '/model-connections/{id}', tag: 'modelConnection', auth: 'user', params: byId, body: connectionUpdate, response: modelConnection, status: 200, limit: 'modelConnection', stores: 'edits' }),
  'modelConnection.remove': route({ method: 'DELETE', path: '/model-connections/{id}', tag: 'modelConnection', auth: 'user', params: byId, query: connectionRemoval, response: nothing, status: 204 }),
  'modelConnection.models': route({ method: 'GET', path: '/model-connections/{id}/models', tag: 'modelConnection', auth: 'user', params: byId, query: modelQuery, response: connectionModels, status: 200 }),
  'modelConnection.readModels': route({ method: 'POST', path: '/model-connections/{id}/models', tag: 'modelConnection', auth: 'user', params: byId, response: connectionModels, status: 200, limit: 'modelConnection', stores: 'edits' }),
  'modelConnection.test': route({ method: 'POST', path: '/model-connections/{id}/test', tag: 'modelConnection', auth: 'user', params: byId, body: connectionTestRequest, response: connectionTest, status: 200, limit: 'modelConnection', stores: 'work' }),
  'modelConnection.use': route({ method: 'POST', path: '/model-connections/{id}/use', tag: 'modelConnection', auth: 'user', params: byId, body: connectionUse, response: connectionUsed, status: 200, stores: 'work' }),

  'budget.list': route({ method: 'GET', path: '/budget', tag: 'budget', auth: 'user', scope: 'read', query: budgetQuery, response: budgets, status: 200 }),
  'budget.put': route({ method: 'PUT', path: '/budget', tag: 'budget', auth: 'user', body: budgetUpdate, response: budget, status: 200, stores: 'work' }),
  'budget.remove': route({ method: 'DELETE', path: '/budget/{id}', tag: 'budget', auth: 'user', params: byId, response: nothing, status: 204 }),
  'budget.forecast': route({ method: 'POST', path: '/budget/forecast', tag: 'budget', auth: 'user', scope: 'read', body: forecastRequest, response: forecast, status: 200, stores: 'work' }),

  'agent.list': route({ method: 'GET', path: '/nuroagent', tag: 'agent', auth: 'user', scope: 'read', query: page, response: z.array(agent), status: 200 }),
  'agent.get': route({ method: 'GET', path: '/nuroagent/{id}', tag: 'agent', auth: 'user', scope: 'read', params: byId, response: agent, status: 200 }),
  'agent.create': route({ method: 'POST', path: '/nuroagent', tag: 'agent', auth: 'user', scope: 'edit', body: agentCreation, response: agent, status: 201, idempotent: true }),
  'agent.update': route({ method: 'PUT', path: '/nuroagent/{id}', tag: 'agent', auth: 'user', scope: 'edit', params: byId, body: agentEdit, response: agent, status: 200, stores: 'edits', copies: 2 }),
  'agent.changes': route({ method: 'GET', path: '/nuroagent/{id}/changes', tag: 'agent', auth: 'user', scope: 'read', params: byId, query: agentChangeQuery, response: agentChangePage, status: 200 }),
  'agent.remove': route({ method: 'DELETE', path: '/nuroagent/{id}', tag: 'agent', auth: 'user', scope: 'edit', params: byId, response: nothing, status: 204 }),
  'agent.byRole': route({ method: 'GET', path: '/nuroagent/by-role/{role}', tag: 'agent', auth: 'user', scope: 'read', params: byRole, query: page, response: z.array(agent), status: 200 }),
  'agent.bySpecialization': route({ method: 'GET', path: '/nuroagent/by-specialization/{specialization}', tag: 'agent', auth: 'user', scope: 'read', params: bySpecialization, query: page, response: z.array(agent), status: 200 }),
  'agent.byStatus': route({ method: 'GET', path: '/nuroagent/by-status/{status}', tag: 'agent', auth: 'user', scope: 'read', params: byAgentStatus, query: page, response: z.array(agent), status: 200 }),
  'agent.setStatus': route({ method: 'PATCH', path: '/nuroagent/{id}/status', tag: 'agent', auth: 'user', scope: 'edit', params: byId, body: agentStatusChange, response: agent, status: 200, stores: 'work' }),
  'agent.withContextAccess': route({ method: 'GET', path: '/nuroagent/with-context-access', tag: 'agent', auth: 'user', scope: 'read', query: byContextAccess, response: z.array(agent), status: 200 }),
  'agent.relationships': route({ method: 'GET', path: '/nuroagent/{id}/relationships', tag: 'agent', auth: 'user', scope: 'read', params: byId, query: page, response: z.array(agentRelationship), status: 200 }),
  'agent.relate': route({ method: 'POST', path: '/nuroagent/relationships', tag: 'agent', auth: 'user', scope: 'edit', query: relationshipCreation, response: agentRelationship, status: 201, idempotent: true }),
  'agent.unrelate': route({ method: 'DELETE', path: '/nuroagent/relationships/{id}', tag: 'agent', auth: 'user', scope: 'edit', params: byId, response: nothing, status: 204 }),
  'agent.availableForDelegation': route({ method: 'GET', path: '/nuroagent/{id}/available-for-delegation', tag: 'agent', auth: 'user', scope: 'read', params: byId, query: page, response: z.array(agent), status: 200 }),
  'agent.canDelegate': route({ method: 'GET', path: '/nuroagent/can-delegate', tag: 'agent', auth: 'user', scope: 'read', query: delegationQuestion, response: delegationAnswer, status: 200 }),
  'agent.statistics': route({ method: 'GET', path: '/nuroagent/statistics/{id}', tag: 'agent', auth: 'user', scope: 'read', params: byId, response: agentStatistics, status: 200 }),
  'agent.postApiConfiguration': route({ method: 'POST', path: '/nuroagent/api-configuration', tag: 'agent', auth: 'user', body: apiConfigurationCreation, response: apiConfiguration, status: 201, idempotent: true, stores: 'work' }),
  'agent.apiConfiguration': route({ method: 'GET', path: '/nuroagent/{id}/api-configuration', tag: 'agent', auth: 'user', params: byId, response: apiConfiguration, status: 200 }),
  'agent.setModels': route({ method: 'POST', path: '/nuroagent/models', tag: 'agent', auth: 'user', body: agentModels, response: agentModelsSet, status: 200, stores: 'work' }),
  'agent.putApiConfiguration': route({ method: 'PUT', path: '/nuroagent/{id}/api-configuration', tag: 'agent', auth: 'user', params: byId, body: apiConfigurationUpdate, response: apiConfiguration, status: 200, stores: 'work' }),

  'command.execute': route({ method: 'POST', path: '/agentcommand/execute', tag: 'command', auth: 'user', scope: 'run', body: commandExecution, response: commandState, status: 200, idempotent: 'continued', limit: 'command' }),
  'command.executeAsync': route({ method: 'POST', path: '/agentcommand/execute-async', tag: 'command', auth: 'user', scope: 'run', body: commandExecution, response: commandState, status: 202, idempotent: true, limit: 'command' }),
  'command.status': route({ method: 'GET', path: '/agentcommand/status/{id}', tag: 'command', auth: 'user', scope: 'read', params: byId, response: commandState, status: 200 }),
  'command.cancel': route({ method: 'POST', path: '/agentcommand/cancel/{id}', tag: 'command', auth: 'user', scope: 'run', params: byId, response: commandState, status: 200, stores: 'work' }),
  'command.history': route({ method: 'GET', path: '/agentcommand/history/{agentId}', tag: 'command', auth: 'user', scope: 'read', params: byAgent, query: commandHistoryQuery, response: z.array(command), status: 200 }),
  'command.clearHistory': route({ method: 'DELETE', path: '/agentcommand/history/{agentId}', tag: 'command', auth: 'user', scope: 'edit', params: byAgent, response: nothing, status: 204 }),
  'command.statistics': route({ method: 'GET', path: '/agentcommand/statistics/{agentId}', tag: 'command', auth: 'user', scope: 'read', params: byAgent, response: agentStatistics, status: 200 }),
  'command.availability': route({ method: 'GET', path: '/agentcommand/availability/{agentId}', tag: 'command', auth: 'user', scope: 'read', params: byAgent, response: agentAvailability, status: 200 }),
  'command.load': route({ method: 'GET', path: '/agentcommand/load/{agentId}', tag: 'command', auth: 'user', scope: 'read', params: byAgent, response: agentLoad, status: 200 }),
  'command.openai': route({ method: 'POST', path: '/agentcommand/openai/{agentId}', tag: 'command', auth: 'user', scope: 'run', params: byAgent, body: chatRequest, response: chatCompletion.or(commandState), status: 200, idempotent: 'continued', limit: 'command', bodyLimits: listBody }),

  'thought.publish': route({ method: 'POST', path: '/agentthought/publish', tag: 'thought', auth: 'user', scope: 'edit', body: thoughtPublication, response: thought, status: 201, idempotent: true }),
  'thought.busStatus': route({ method: 'GET', path: '/agentthought/nats-status', tag: 'thought', auth: 'user', scope: 'read', response: busStatus, status: 200 }),
  'thought.followAgent': route({ method: 'GET', path: '/agentthought/subscribe/{agentId}', tag: 'thought', auth: 'user', params: byAgent, response: subscription, status: 200, events: true }),
  'thought.followProject': route({ method: 'GET', path: '/agentthought/subscribe/project/{id}', tag: 'thought', auth: 'user', params: byProjectId, response: subscription, status: 200, events: true }),
  'thought.followUser': route({ method: 'GET', path: '/agentthought/subscribe/user/{id}', tag: 'thought', auth: 'user', params: byId, response: subscription, status: 200, events: true }),
  'thought.followGlobal': route({ method: 'GET', path: '/agentthought/subscribe/global', tag: 'thought', auth: 'user', response: subscription, status: 200, events: true }),
  'thought.test': route({ method: 'POST', path: '/agentthought/test/{id}', tag: 'thought', auth: 'user', scope: 'edit', params: byId, response: thoughtTest, status: 200, stores: 'work' }),
  'thought.ofAgent': route({ method: 'GET', path: '/agentthought/agent/{id}', tag: 'thought', auth: 'user', scope: 'read', params: byId, query: thoughtQuery, response: z.array(thought), status: 200 }),
  'thought.ofProject': route({ method: 'GET', path: '/agentthought/project/{id}', tag: 'thought', auth: 'user', scope: 'read', params: byProjectId, query: thoughtQuery, response: z.array(thought), status: 200 }),
  'thought.ofUser': route({ method: 'GET', path: '/agentthought/user/{id}', tag: 'thought', auth: 'user', scope: 'read', params: byId, query: thoughtQuery, response: z.array(thought), status: 200 }),
  'thought.all': route({ method: 'GET', path: '/agentthought/global', tag: 'thought', auth: 'user', scope: 'read', query: thoughtQuery, response: z.array(thought), status: 200 }),

  'pipeline.list': route({ method: 'GET', path: '/Pipeline', tag: 'pipeline', auth: 'user', scope: 'read', query: page, response: z.array(pipeline), status: 200 }),
  'pipeline.get': route({ method: 'GET', path: '/Pipeline/{id}', tag: 'pipeline', auth: 'user', scope: 'read', params: byId, response: pipeline, status: 200 }),
  'pipeline.create': route({ method: 'POST', path: '/Pipeline', tag: 'pipeline', auth: 'user', scope: 'edit', body: pipelineCreation, bodyLimits: pipelineBody, response: pipeline, status: 201, idempotent: true, copies: 2 }),
  'pipeline.remove': route({ method: 'DELETE', path: '/Pipeline/{id}', tag: 'pipeline', auth: 'user', scope: 'edit', params: byId, response: nothing, status: 204 }),
  'pipeline.update': route({ method: 'PUT', path: '/Pipeline/{id}', tag: 'pipeline', auth: 'user', scope: 'edit', params: byId, body: pipelineUpdate, bodyLimits: pipelineBody, response: pipeline, status: 200 }),
  'pipeline.setStatus': route({ method: 'PATCH', path: '/Pipeline/{id}/status', tag: 'pipeline', auth: 'user', scope: 'edit', params: byId, body: pipelineStatusChange, response: pipeline, status: 200, stores: 'work' }),
  'pipeline.diagnostics': route({ method: 'GET', path: '/Pipeline/{id}/diagnostics', tag: 'pipeline', auth: 'user', scope: 'read', params: byId, response: pipelineDiagnostics, status: 200 }),
  'pipeline.steps': route({ method: 'GET', path: '/Pipeline/{id}/steps', tag: 'pipeline', auth: 'user', scope: 'read', params: byId, query: page, response: z.array(pipelineStep), status: 200 }),
  'pipeline.addStep': route({ method: 'POST', path: '/Pipeline/{id}/steps', tag: 'pipeline', auth: 'user', scope: 'edit', params: byId, body: pipelineStepCreation, response: pipelineStep, status: 201, idempotent: true }),
  'pipeline.updateStep': route({ method: 'PUT', path: '/Pipeline/steps/{stepId}', tag: 'pipeline', auth: 'user', scope: 'edit', params: byStep, body: pipelineStepUpdate, response: pipelineStep, status: 200, stores: 'edits' }),
  'pipeline.removeStep': route({ method: 'DELETE', path: '/Pipeline/steps/{stepId}', tag: 'pipeline', auth: 'user', scope: 'edit', params: byStep, response: nothing, status: 204 }),
  'pipeline.reorderSteps': route({ method: 'PUT', path: '/Pipeline/{id}/steps/reorder', tag: 'pipeline', auth: 'user', scope: 'edit', params: byId, body: pipelineStepOrder, response: z.array(pipelineStep), status: 200, stores: 'edits' }),

  'execution.list': route({ method: 'GET', path: '/PipelineExecution', tag: 'execution', auth: 'user', scope: 'read', query: executionQuery, response: z.array(execution), status: 200 }),
  'execution.start': route({ method: 'POST', path: '/PipelineExecution/start', tag: 'execution', auth: 'user', scope: 'run', body: executionStart, response: execution, status: 202, idempotent: true, bodyLimits: listBody, copies: 0 }),
  'execution.get': route({ method: 'GET', path: '/PipelineExecution/{id}', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: execution, status: 200 }),
  'execution.details': route({ method: 'GET', path: '/PipelineExecution/{id}/details', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: executionDetails, status: 200 }),
  'execution.logs': route({ method: 'GET', path: '/PipelineExecution/{id}/logs', tag: 'execution', auth: 'user', scope: 'read', params: byId, query: logsQuery, response: z.array(executionEvent), status: 200 }),
  'execution.pause': route({ method: 'POST', path: '/PipelineExecution/{id}/pause', tag: 'execution', auth: 'user', scope: 'run', params: byId, response: execution, status: 200, stores: 'work' }),
  'execution.resume': route({ method: 'POST', path: '/PipelineExecution/{id}/resume', tag: 'execution', auth: 'user', scope: 'run', params: byId, response: execution, status: 200, stores: 'work' }),
  'execution.stop': route({ method: 'POST', path: '/PipelineExecution/{id}/stop', tag: 'execution', auth: 'user', scope: 'run', params: byId, response: execution, status: 200, stores: 'work' }),
  'execution.nextStep': route({ method: 'POST', path: '/PipelineExecution/{id}/next-step', tag: 'execution', auth: 'user', scope: 'run', params: byId, response: execution, status: 200, stores: 'work' }),
  'execution.addContext': route({ method: 'POST', path: '/PipelineExecution/{id}/context', tag: 'execution', auth: 'user', scope: 'run', params: byId, body: userInputContext, response: execution, status: 200, idempotent: true }),
  'execution.create': route({ method: 'POST', path: '/PipelineExecution', tag: 'execution', auth: 'user', scope: 'run', body: executionCreation, response: execution, status: 201, idempotent: true, bodyLimits: listBody, copies: 0 }),
  'execution.update': route({ method: 'PUT', path: '/PipelineExecution/{id}', tag: 'execution', auth: 'user', scope: 'run', params: byId, body: executionSettings, response: execution, status: 200, stores: 'edits' }),
  'execution.remove': route({ method: 'DELETE', path: '/PipelineExecution/{id}', tag: 'execution', auth: 'user', scope: 'edit', params: byId, response: nothing, status: 204 }),
  'execution.byPipeline': route({ method: 'GET', path: '/PipelineExecution/pipeline/{id}', tag: 'execution', auth: 'user', scope: 'read', params: byId, query: page, response: z.array(execution), status: 200 }),
  'execution.byStatus': route({ method: 'GET', path: '/PipelineExecution/status/{status}', tag: 'execution', auth: 'user', scope: 'read', params: byExecutionStatus, query: page, response: z.array(execution), status: 200 }),
  'execution.byUser': route({ method: 'GET', path: '/PipelineExecution/user/{userId}', tag: 'execution', auth: 'user', scope: 'read', params: byUser, query: page, response: z.array(execution), status: 200 }),
  'execution.readiness': route({ method: 'GET', path: '/PipelineExecution/pipeline/{id}/readiness', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: pipelineReadiness, status: 200 }),
  'execution.statistics': route({ method: 'GET', path: '/PipelineExecution/{id}/statistics', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: executionStatistics, status: 200 }),
  'execution.memory': route({ method: 'GET', path: '/PipelineExecution/{id}/memory', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: executionMemory, status: 200 }),
  'execution.links': route({ method: 'GET', path: '/PipelineExecution/{id}/links', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: z.array(executionLink), status: 200 }),
  'execution.toolCalls': route({ method: 'GET', path: '/PipelineExecution/{id}/calls', tag: 'execution', auth: 'user', scope: 'read', params: byId, query: toolCallQuery, response: z.array(toolCall), status: 200 }),
  'execution.testLog': route({ method: 'GET', path: '/PipelineExecution/{id}/steps/{stepId}/test-log', tag: 'execution', auth: 'user', scope: 'read', params: byId.extend({ stepId: id }), response: z.string(), produces: 'text/plain', status: 200 }),
  'execution.step': route({ method: 'GET', path: '/PipelineExecution/{id}/steps/{stepId}', tag: 'execution', auth: 'user', scope: 'read', params: byId.extend({ stepId: id }), response: stepRun, status: 200 }),
  'execution.fork': route({ method: 'POST', path: '/PipelineExecution/{id}/fork', tag: 'execution', auth: 'user', scope: 'run', params: byId, body: forkRequest, response: fork, status: 202, idempotent: true, bodyLimits: pipelineBody, copies: 0 }),
  'execution.compare': route({ method: 'GET', path: '/PipelineExecution/compare', tag: 'execution', auth: 'user', scope: 'read', query: compareQuery, response: comparison, status: 200 }),
  'execution.runStep': route({ method: 'POST', path: '/PipelineExecution/{id}/steps/{stepId}', tag: 'execution', auth: 'user', scope: 'run', params: byId.extend({ stepId: id }), response: execution, status: 200, idempotent: true, stores: 'work' }),
  'execution.files': route({ method: 'GET', path: '/PipelineExecution/{id}/files', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: executionFiles, status: 200 }),
  'execution.fileContent': route({ method: 'GET', path: '/PipelineExecution/{id}/files/content', tag: 'execution', auth: 'user', scope: 'read', params: byId, query: byFilePath, response: z.string(), produces: 'text/plain', status: 200 }),
  'execution.fileComparison': route({ method: 'GET', path: '/PipelineExecution/{id}/files/comparison', tag: 'execution', auth: 'user', scope: 'read', params: byId, query: byFilePath, response: fileComparison, status: 200 }),
  'execution.archive': route({ method: 'GET', path: '/PipelineExecution/{id}/archive', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: z.instanceof(Uint8Array), produces: 'application/zip', status: 200 }),
  'execution.pullRequest': route({ method: 'GET', path: '/PipelineExecution/{id}/pull-request', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: pullRequest, status: 200 }),
  'execution.patch': route({ method: 'GET', path: '/PipelineExecution/{id}/patch', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: z.union([z.string(), z.instanceof(Uint8Array)]), produces: 'text/x-patch', status: 200 }),

  'execution.publication': route({ method: 'GET', path: '/PipelineExecution/{id}/publication', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: publicationPlan, status: 200 }),
  'execution.publish': route({ method: 'POST', path: '/PipelineExecution/{id}/publish', tag: 'execution', auth: 'user', scope: 'run', params: byId, body: publishRequest, response: publication, status: 200, limit: 'publish', stores: 'work' }),
  'execution.followUp': route({ method: 'POST', path: '/PipelineExecution/{id}/follow-up', tag: 'execution', auth: 'user', scope: 'run', params: byId, response: followUp, status: 201, limit: 'input', copies: 0 }),
  'execution.bundle': route({ method: 'GET', path: '/PipelineExecution/{id}/bundle', tag: 'execution', auth: 'user', scope: 'read', params: byId, response: z.instanceof(Uint8Array), produces: 'application/x-git-bundle', status: 200, limit: 'publish' }),

  'execution.setHolds': route({ method: 'PUT', path: '/PipelineExecution/{id}/holds', tag: 'execution', auth: 'user', params: byId, body: runHolds, response: execution, status: 200, stores: 'work' }),

  'runner.get': route({ method: 'GET', path: '/runner', tag: 'runner', auth: 'user', response: runnerState, status: 200 }),
  'runner.connect': route({ method: 'POST', path: '/runner', tag: 'runner', auth: 'staff', response: runnerState, status: 200 }),
  'runner.disconnect': route({ method: 'DELETE', path: '/runner', tag: 'runner', auth: 'staff', response: nothing, status: 204 }),

  'input.create': route({ method: 'POST', path: '/inputSet', tag: 'input', auth: 'user', scope: 'run', body: inputSetCreation, response: inputSet, status: 201, limit: 'input' }),
  'input.get': route({ method: 'GET', path: '/inputSet/{id}', tag: 'input', auth: 'user', scope: 'read', params: byId, response: inputSet, status: 200 }),
  'input.files': route({ method: 'GET', path: '/inputSet/{id}/files', tag: 'input', auth: 'user', scope: 'read', params: byId, query: inputFilesQuery, response: inputFilesPage, status: 200 }),
  'input.putFile': route({ method: 'PUT', path: '/inputSet/{id}/file', tag: 'input', auth: 'user', scope: 'run', params: byId, query: byInputPath, body: fileBytes, takes: 'application/octet-stream', bodyLimits: fileBody, response: inputFile, status: 200, limit: 'input', copies: 0 }),
  'input.fileText': route({ method: 'GET', path: '/inputSet/{id}/file', tag: 'input', auth: 'user', scope: 'read', params: byId, query: byInputPath, response: z.string(), produces: 'text/plain', status: 200 }),
  'input.removeFile': route({ method: 'DELETE', path: '/inputSet/{id}/file', tag: 'input', auth: 'user', scope: 'run', params: byId, query: byInputPath, response: nothing, status: 204 }),
  'input.addRepository': route({ method: 'POST', path: '/inputSet/{id}/repository', tag: 'input', auth: 'user', scope: 'run', params: byId, body: gitAddress, response: inputAddition, status: 200, limit: 'input', copies: 0 }),
  'input.addArchive': route({ method: 'POST', path: '/inputSet/{id}/archive', tag: 'input', auth: 'user', scope: 'run', params: byId, body: fileBytes, takes: 'application/zip', bodyLimits: fileBody, response: inputAddition, status: 200, limit: 'input', copies: 0 }),

  'question.list': route({ method: 'GET', path: '/question', tag: 'question', auth: 'user', scope: 'read', query: questionQuery, response: z.array(question), status: 200 }),
  'question.get': route({ method: 'GET', path: '/question/{id}', tag: 'question', auth: 'user', scope: 'read', params: byId, response: questionDetails, status: 200 }),
  'question.ofExecution': route({ method: 'GET', path: '/PipelineExecution/{id}/questions', tag: 'question', auth: 'user', scope: 'read', params: byId, query: page, response: z.array(question), status: 200 }),
  'question.answer': route({ method: 'POST', path: '/question/{id}/answer', tag: 'question', auth: 'user', scope: 'answer', params: byId, body: questionAnswer, bodyLimits: answerBody, response: question, status: 200, idempotent: true, stores: 'work' }),
  'question.createLink': route({ method: 'POST', path: '/question/{id}/link', tag: 'question', auth: 'user', params: byId, response: questionLink, status: 201, stores: 'work' }),
  'questionLink.get': route({ method: 'GET', path: '/q/{token}', tag: 'questionLink', auth: 'public', params: byToken, response: linkedQuestion, status: 200, limit: 'question' }),
  'questionLink.answer': route({ method: 'POST', path: '/q/{token}', tag: 'questionLink', auth: 'public', params: byToken, body: questionAnswer, bodyLimits: answerBody, response: nothing, status: 204, limit: 'question' }),

  'result.list': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}', tag: 'result', auth: 'user', scope: 'read', params: byProject, query: page, response: z.array(resultItem), status: 200 }),
  'result.get': route({ method: 'GET', path: '/ProjectResultHistory/{id}', tag: 'result', auth: 'user', scope: 'read', params: byId, response: resultItem, status: 200 }),
  'result.create': route({ method: 'POST', path: '/ProjectResultHistory', tag: 'result', auth: 'user', scope: 'edit', body: resultCreation, response: resultItem, status: 201, idempotent: true }),
  'result.remove': route({ method: 'DELETE', path: '/ProjectResultHistory/{id}', tag: 'result', auth: 'user', scope: 'edit', params: byId, response: nothing, status: 204 }),
  'result.update': route({ method: 'PUT', path: '/ProjectResultHistory/{id}', tag: 'result', auth: 'user', scope: 'edit', params: byId, body: resultUpdate, response: resultItem, status: 200, stores: 'edits' }),
  'result.byType': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}/type/{type}', tag: 'result', auth: 'user', scope: 'read', params: byResultType, query: page, response: z.array(resultItem), status: 200 }),
  'result.byStatus': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}/status/{status}', tag: 'result', auth: 'user', scope: 'read', params: byResultStatus, query: page, response: z.array(resultItem), status: 200 }),
  'result.byUser': route({ method: 'GET', path: '/ProjectResultHistory/user/{userId}/project/{projectId}', tag: 'result', auth: 'user', scope: 'read', params: byUser.extend({ projectId }), query: page, response: z.array(resultItem), status: 200 }),
  'result.search': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}/search', tag: 'result', auth: 'user', scope: 'read', params: byProject, query: resultSearch, response: z.array(resultItem), status: 200 }),
  'result.statistics': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}/statistics', tag: 'result', auth: 'user', scope: 'read', params: byProject, response: resultStatistics, status: 200 }),
  'result.recent': route({ method: 'GET', path: '/ProjectResultHistory/project/{projectId}/recent', tag: 'result', auth: 'user', scope: 'read', params: byProject, query: recentQuery, response: z.array(resultItem), status: 200 }),
  'result.fromExecution': route({ method: 'POST', path: '/ProjectResultHistory/from-pipeline-execution/{pipelineExecutionId}', tag: 'result', auth: 'user', scope: 'edit', params: z.object({ pipelineExecutionId: id }), response: resultItem, status: 200 }),
} as const satisfies Record<string, Route>;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
