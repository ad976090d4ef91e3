import type { ErrorCode } from './errors.ts';
import { growsAccount, type Route } from './route.ts';
import type { RouteName } from './routes.ts';

/** Error codes of calls that change data, by their group. */
const ofWrites: Partial<Record<string, readonly ErrorCode[]>> = {
  project: ['illegal_state', 'conflict'],
  agent: ['illegal_state', 'conflict'],
  pipeline: ['illegal_state', 'conflict', 'pipeline_empty'],
  execution: ['illegal_state', 'conflict', 'pipeline_empty'],
  command: ['illegal_state', 'conflict'],
};

/** Error codes that cannot be derived from the route. */
const ofCalls: Partial<Record<RouteName, readonly ErrorCode[]>> = {
  'auth.register': ['registration_closed', 'email_taken', 'password_weak'],
  'apiKey.create': ['too_many_keys'],
  'releasedTeam.release': ['slug_taken', 'too_many_teams', 'canvas_stale'],
  'releasedTeam.releaseNext': ['canvas_stale'],
  'releasedTeam.update': ['slug_taken'],
  'team.start': ['team_busy', 'too_many_runs', 'team_changed', 'input_refused'],
  'team.answer': ['question_answered', 'question_withdrawn'],
  'auth.login': ['invalid_credentials'],
  'auth.refresh': ['unauthorized'],
  'auth.updateProfile': ['forbidden', 'email_taken'],
  'auth.changePassword': ['password_weak', 'conflict'],
  'auth.resetPassword': ['password_weak', 'conflict'],
  'account.export': ['unauthorized'],
  'account.delete': ['conflict'],
  'teamVersion.restore': ['team_changed'],
  'execution.create': ['team_changed'],
  'execution.start': ['too_many_runs', 'team_changed'],
  'execution.resume': ['too_many_runs'],
  'execution.nextStep': ['too_many_runs'],
  'execution.runStep': ['too_many_runs'],
  'execution.addContext': ['no_later_step'],
  'execution.fork': ['too_many_runs', 'fork_refused'],
  'execution.compare': ['not_found'],
  'deadLetter.retry': ['work_gone'],
  'question.answer': ['question_answered', 'question_withdrawn'],
  'question.createLink': ['question_answered', 'question_withdrawn'],
  'questionLink.get': ['question_answered', 'link_withdrawn', 'link_expired'],
  'questionLink.answer': ['question_answered', 'link_withdrawn', 'link_expired'],
  'input.create': ['input_refused'],
  'input.putFile': ['input_refused', 'input_sealed'],
  'input.removeFile': ['input_sealed'],
  'input.addRepository': ['input_refused', 'input_sealed'],
  'input.addArchive': ['input_refused', 'input_sealed'],
  'project.putGitTarget': ['publish_refused'],
  'project.update': ['tools_refused'],
  'execution.publication': ['illegal_state'],
  'execution.followUp': ['publish_refused', 'input_refused', 'illegal_state', 'busy'],
  'execution.publish': ['publish_refused', 'publish_conflict'],
  'execution.bundle': ['publish_refused', 'publish_conflict', 'illegal_state'],
  'toolServer.create': ['tools_refused'],
  'toolServer.update': ['tools_refused'],
  'toolServer.remove': ['tools_refused'],
  'toolServer.signIn': ['tools_refused'],
  'toolServer.endSignIn': ['tools_refused'],
  'toolServer.setPolicy': ['tools_refused'],
  'toolServer.accept': ['tool_changed'],
  'runner.connect': ['not_found'],
  'hook.create': ['hook_refused'],
  'hook.update': ['hook_refused'],
  'hook.resend': ['hook_refused'],
  'telegram.createLink': ['hook_refused'],
  'telegram.update': ['hook_refused'],
  'push.add': ['hook_refused'],
  'modelConnection.create': ['connection_refused'],
  'modelConnection.update': ['connection_refused'],
  'modelConnection.remove': ['connection_refused', 'connection_used'],
  'project.compareVersions': ['version_removed'],
  'project.version': ['version_removed'],
  'project.putMark': ['version_removed'],
  'pipeline.create': ['canvas_stale'],
  'project.patchCanvas': ['canvas_stale'],
  'project.putCanvas': ['canvas_stale'],
};

/** Returns the error codes of a call, without duplicates: those derived from its route, and those of every call. */
export function failuresOf(name: RouteName, route: Route): ErrorCode[] {
  const { auth, params, query, body } = route;
  const writes = route.method !== 'GET';
  const codes: readonly ErrorCode[] = [
    ...(params || query || body ? (['bad_request'] as const) : []),
    ...(body ? (['too_large', 'too_many_bodies', 'busy'] as const) : []),
    ...(body && !route.takes ? (['not_json', 'not_utf8', 'too_complex', 'unsupported_media_type'] as const) : []),
    ...(auth === 'public' ? [] : (['unauthorized', 'token_expired'] as const)),
    ...(auth === 'staff' ? (['forbidden'] as const) : []),
    ...(auth === 'public' ? [] : (['key_not_allowed'] as const)),
    ...(auth === 'public' || route.isOpenToLeaving ? [] : (['account_leaving'] as const)),
    ...(params || (body && auth !== 'public') ? (['not_found'] as const) : []),
    ...(route.idempotent ? (['conflict', 'idempotency_mismatch'] as const) : []),
    ...(writes ? (ofWrites[route.tag] ?? []) : []),
    ...(ofCalls[name] ?? []),
    'too_many_requests',
    'busy',
    ...(writes ? (['storage_full'] as const) : []),
    ...(growsAccount(route) ? (['quota_reached'] as const) : []),
    'unavailable',
    'internal',
  ];
  return [...new Set(codes)];
}
