import { preload } from '../preload.ts';
import { createSetUp } from '../set-up/create-set-up.ts';
import { startServer } from '../start-server.ts';
import { test } from './browser-test.ts';

const hook = preload('tools/scripted-tools.ts');

/** A server whose agents have tools of each kind, and its model. */
export function setUpScriptedTools() {
  const { setUpModelServer, setUpServer } = createSetUp(test, { start: startServer });
  const models = setUpModelServer();
  const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: models.url, NODE_OPTIONS: hook }));
  return { models, server };
}
