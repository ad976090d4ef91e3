/** The face of the projects module. */
export { projectHandlers } from './handlers.ts';
export { type CanvasUpdate, ProjectService } from './service.ts';
export { canvasConnections, canvasNodes, projects } from './tables.ts';
