import type { PipelineCreation } from '../../../contract/executions/pipeline.ts';
import type { ReleasedTeamChange, TeamRelease } from '../../../contract/released-team.ts';
import type { Api } from '../../api/create-api.ts';
import { answerOf } from '../server-data/api-data.tsx';
import { useServerData } from '../server-data/server-data-provider.tsx';
import { useMutation } from '../server-data/use-mutation.ts';
import { useOpenItem } from '../server-data/use-open-item.ts';
import { useRead } from '../server-data/use-read.ts';

export type NewTeam = Omit<TeamRelease, 'pipelineId' | 'canvasVersion'>;

/** The released teams of a project, and what changes them. The engine takes no files: a run is started by the API itself. K4.14 */
export function useTeams(projectId: string, api: Pick<Api, 'call'>) {
  const params = { id: projectId };
  const data = useServerData();
  const list = useRead('releasedTeam.list', { params });
  const history = useOpenItem('releasedTeam.get', (teamId) => ({ params: { ...params, teamId } }));
  const { act, call, remove, isBusy, problem } = useMutation({
    invalidates: ['releasedTeam.list', 'releasedTeam.get'],
    about: history.openId,
  });

  /** Stores what the pipeline of the present canvas says, and releases it. The server refuses a canvas that has changed meanwhile. */
  const releaseOf = async <T>(pipeline: PipelineCreation, send: (stored: { pipelineId: string; canvasVersion?: number }) => Promise<T>) => {
    const { canvasVersion } = pipeline;
    const stored = await data.change('pipeline.create', { body: pipeline });
    return stored.ok ? send({ pipelineId: stored.value.id, ...(canvasVersion !== undefined && { canvasVersion }) }) : stored;
  };
  return {
    ...{ list, isBusy, openId: history.openId, open: history.open },
    /** The releases and calls of the team that is open. */
    details: history.value,
    problem: problem ?? history.problem,
    release: (pipeline: PipelineCreation, team: NewTeam) =>
      act(() => releaseOf(pipeline, (stored) => data.change('releasedTeam.release', { params, body: { ...team, ...stored } }))),
    /** Makes the present team live. */
    releasePresent: (teamId: string, pipeline: PipelineCreation) =>
      act(() => releaseOf(pipeline, (body) => data.change('releasedTeam.releaseNext', { params: { ...params, teamId }, body }))),
    /** Makes an earlier release live again. */
    releaseAgain: (teamId: string, release: number) =>
      call('releasedTeam.releaseNext', { params: { ...params, teamId }, body: { release } }),
    change: (teamId: string, body: ReleasedTeamChange) => call('releasedTeam.update', { params: { ...params, teamId }, body }),
    withdraw: (teamId: string) =>
      remove('releasedTeam.withdraw', { params: { ...params, teamId } }, () => history.openId === teamId && history.open(null)),
    /** Starts a run with the form of the page, whose parts are the fields. */
    start: (slug: string, body: FormData) => act(() => answerOf(api.call('team.start', { params: { slug }, body }))),
  };
}

export type Teams = ReturnType<typeof useTeams>;
