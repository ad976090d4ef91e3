import type { Lead } from '../../../contract/lead.ts';
import { everyPage } from '../../model/every-page.ts';
import { useMutation } from '../server-data/use-mutation.ts';
import { useLoad } from '../server-data/use-read.ts';

/** The demo requests for staff, and what changes them. P7.03 */
export function useLeads() {
  const list = useLoad('lead.list', {}, (call) => everyPage((query) => call('lead.list', { query })));
  const { call, remove, problem, clear } = useMutation({ invalidates: ['lead.list'], inTurn: true });
  return {
    list,
    problem: problem ?? list.problem,
    isForbidden: [problem, list.problem].some((one) => one?.code === 'forbidden'),
    reload: () => {
      clear();
      list.again();
    },
    setStatus: (id: string, status: Lead['status']) => call('lead.setStatus', { params: { id }, body: { status } }),
    setPriority: (id: string, priority: Lead['priority']) => call('lead.update', { params: { id }, body: { priority } }),
    /** Removes a request with its comments. */
    remove: (id: string) => remove('lead.remove', { params: { id } }),
  };
}

export type Leads = ReturnType<typeof useLeads>;
