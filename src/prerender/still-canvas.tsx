import type { CanvasNode } from '../../contract/canvas.ts';
import { isDialog } from '../../rules/card.ts';
import { useWorkspaceContext } from '../app/workspace/frame/workspace-context.ts';
import { pathAlong } from '../canvas/geometry/link-path.ts';
import { RouteFinder } from '../canvas/geometry/routes/route-finder.ts';
import { routesOf } from '../canvas/geometry/routes/routes-of.ts';
import { routing } from '../canvas/geometry/routes/routing.ts';
import { DialogForm } from '../canvas/overlay/dialog/dialog-form.tsx';
import { cardContent } from '../canvas/scene/cards/card-content.ts';
import { useCardTexts } from '../canvas/use-card-texts.ts';
import { nodeSize } from '../model/document/node-size.ts';
import type { WorkspaceState } from '../model/workspace-state.ts';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { RoleTile } from '../ui/icons/role-icon.tsx';
import { useDispatch, useStore, useWorkspace } from '../workers/bridge/use-workspace.ts';

routing.set(RouteFinder);

/** The cards and links as the canvas draws them without a run, at the size of their own text. */
export function StillCanvas() {
  const { t } = useTranslation('workspace');
  const document = useWorkspace((state) => state.document);
  const agents = useWorkspace((state) => state.agents.byId);
  return (
    <main className="still-canvas" aria-label={t('demo.start.picture')}>
      <div className="still-world">
        <svg className="still-links" width="1" height="1" aria-hidden="true">
          {Object.values(document.connections).map((link) => (
            <path key={link.id} d={pathOf(document, link.id)} />
          ))}
        </svg>
        {Object.values(document.nodes).map((node) => (
          <StillCard key={node.id} node={node} agent={agents[node.id]} />
        ))}
      </div>
    </main>
  );
}

function StillCard({ node, agent }: { node: CanvasNode; agent: WorkspaceState['agents']['byId'][string] | undefined }) {
  const texts = useCardTexts();
  const { drafts } = useWorkspaceContext();
  const store = useStore();
  const dispatch = useDispatch();
  const { icon, hue, title, model, line, word } = cardContent(node, undefined, agent, texts, 0);
  const { width, height } = nodeSize(node);
  return (
    <section className="still-card" data-hue={hue} style={{ left: node.x, top: node.y, width, height }}>
      <RoleTile name={icon} hue={hue} size={36} />
      <strong className="still-title">{title}</strong>
      {isDialog(node) ? (
        <div className="still-form">
          <DialogForm nodeId={node.id} store={store} view={null} index={null} dispatch={dispatch} drafts={drafts} readOnly />
        </div>
      ) : (
        <>
          <span className="still-model">{model}</span>
          <span className="still-line">{line}</span>
          <span className="still-foot">{word}</span>
        </>
      )}
      <i className="still-port" data-side="in" />
      <i className="still-port" data-side="out" />
    </section>
  );
}

function pathOf(document: WorkspaceState['document'], linkId: string): string {
  const corners = routesOf(document).corners(linkId);
  if (!corners) return '';
  const { points, count } = pathAlong(corners);
  const drawn = Array.from({ length: count }, (_, at) => `${Math.round(Number(points[2 * at]))} ${Math.round(Number(points[2 * at + 1]))}`);
  return `M${drawn.join('L')}`;
}
