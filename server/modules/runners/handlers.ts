import type { Handlers } from '../../http/call.ts';
import type { Runners } from './service.ts';

export function runnerHandlers(runners: Runners): Pick<Handlers, Extract<keyof Handlers, `runner.${string}`>> {
  return {
    'runner.get': ({ user, isLocal }) => runners.state({ isStaff: user.isStaff, isLocal }),
    'runner.connect': ({ isLocal }) => runners.connect({ isStaff: true, isLocal }),
    'runner.disconnect': ({ isLocal }) => runners.disconnect({ isStaff: true, isLocal }),
  };
}
