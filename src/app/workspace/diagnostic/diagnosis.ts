import type { AuthConfig, Profile } from '../../../../contract/account.ts';
import type { Agent } from '../../../../contract/agent.ts';
import { agentStatuses } from '../../../../contract/agent-statuses.ts';
import type { Health } from '../../../../contract/health.ts';
import { refreshEveryMs } from '../../../../contract/refresh-interval.ts';
import type { Outcome, Problem } from '../../../model/problem.ts';
import type { ConnectionState } from '../../../model/workspace-state.ts';

/** The checks, in this order. W7.09 */
export const checks = ['connection', 'agents', 'token', 'websocket', 'configuration'] as const;
export type Check = (typeof checks)[number];

/** The outcome of one check: a code below `console.diagnostic`, or a failure. */
export type Finding = { state: 'good' | 'warning' | 'bad'; code?: string; params?: Record<string, string | number>; problem?: Problem };

export type Answers = {
  /** With the response time (ms). */
  health: Outcome<Health> & { ms: number };
  agents: Outcome<Agent[]>;
  profile: Outcome<Profile>;
  configuration: Outcome<AuthConfig>;
};

/** Computes the outcome of each check from the responses and the state of the live connection. */
export function diagnose({ health, agents, profile, configuration }: Answers, { realtime }: ConnectionState): Record<Check, Finding> {
  return {
    connection: of(health, ({ status, version, database }) => {
      const ms = Math.round(health.ms);
      const well = status === 'ok' && database === 'up';
      return { state: well ? 'good' : 'warning', code: well ? 'serverWell' : 'serverAiling', params: { version, ms } };
    }),
    agents: of(agents, (list) => {
      const active = list.filter((agent) => agent.status !== agentStatuses.inactive).length;
      return { state: active > 0 ? 'good' : 'warning', code: active > 0 ? 'agents' : 'noAgents', params: { count: list.length, active } };
    }),
    token: of(profile, ({ email }) => ({ state: 'good', code: 'tokenTaken', params: { email } })),
    websocket: websocket(realtime),
    configuration: of(configuration, ({ accessTokenMinutes, registration }) => ({
      state: 'good',
      code: registration === 'open' ? 'configurationOpen' : 'configurationClosed',
      params: { minutes: Math.min(refreshEveryMs / 60_000, accessTokenMinutes) },
    })),
  };
}

function of<T>(answer: Outcome<T>, finding: (value: T) => Finding): Finding {
  return answer.ok ? finding(answer.value) : { state: 'bad', problem: answer.error };
}

function websocket(realtime: ConnectionState['realtime']): Finding {
  switch (realtime) {
    case 'connected':
      return { state: 'good', code: 'socketOpen' };
    case 'off':
    case 'demo':
      return { state: 'warning', code: 'socketOff' };
    case 'connecting':
      return { state: 'warning', code: 'socketOpening' };
    case 'disconnected':
      return { state: 'warning', code: 'socketClosed' };
    default:
      return realtime satisfies never;
  }
}
