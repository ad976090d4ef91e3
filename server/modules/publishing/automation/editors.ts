import type { AutomationGroup } from './automation-group.ts';

/** What an editor, a debugger or an agent reads when a person opens the folder. */
export const editors: readonly AutomationGroup[] = [
  {
    source: 'https://containers.dev/implementors/json_reference/',
    folders: ['.devcontainer'],
    stems: ['.devcontainer'],
    files: ['devcontainer.json'],
  },
  {
    source: 'https://code.visualstudio.com/docs/debugtest/tasks',
    folders: ['.vscode', '.vscode-server', '.theia'],
    endings: ['.code-workspace'],
  },
  { source: 'https://www.jetbrains.com/help/idea/run-debug-configuration.html', folders: ['.idea', '.run', '.fleet', '.bsp'] },
  { source: 'https://learn.microsoft.com/visualstudio/ide/customize-build-and-debug-tasks-in-visual-studio', folders: ['.vs'] },
  { source: 'https://zed.dev/docs/tasks', folders: ['.zed'], files: ['.rules'] },
  { source: 'https://docs.nova.app/', folders: ['.nova'] },
  { source: 'https://docs.helix-editor.com/configuration.html', folders: ['.helix', '.lapce'] },
  { source: 'https://vimhelp.org/starting.txt.html', files: ['.vimrc', '.exrc', '.nvimrc', '.nvim.lua', '.lvimrc', '.gvimrc'] },
  {
    source: 'https://www.gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html',
    files: ['.dir-locals.el', '.dir-locals-2.el'],
  },
  { source: 'https://www.sublimetext.com/docs/projects.html', endings: ['.sublime-project', '.sublime-workspace'] },
  { source: 'https://help.eclipse.org/', folders: ['.settings', '.externaltoolbuilders'], files: ['.project'] },
  {
    source: 'https://sourceware.org/gdb/current/onlinedocs/gdb.html/Init-File-in-the-Current-Directory.html',
    files: ['.gdbinit', '.lldbinit', '.radare2rc'],
  },
  { source: 'https://learn.microsoft.com/windows/win32/shell/autorun-cmds', files: ['autorun.inf', 'desktop.ini'] },
  { source: 'https://www.gitpod.io/docs', folders: ['.gitpod', '.ona'], stems: ['.gitpod'] },
  { source: 'https://docs.replit.com/replit-app/configuration', files: ['.replit', 'replit.nix', 'replit.md'] },
  {
    source: 'https://firebase.google.com/docs/studio/customize-workspace',
    folders: ['.idx', '.codesandbox', '.stackblitz'],
    files: ['.stackblitzrc', 'sandbox.config.json'],
  },
  {
    source: 'https://agents.md/',
    files: ['agents.md', 'agent.md', 'agents.override.md', 'agents.local.md', 'skill.md'],
    folders: ['.agents', '.agent'],
  },
  { source: 'https://code.claude.com/docs/en/memory', folders: ['.claude', '.claude-plugin'], files: ['claude.md', 'claude.local.md'] },
  {
    source: 'https://geminicli.com/docs/cli/gemini-md/',
    folders: ['.gemini', '.qwen', '.iflow'],
    files: ['gemini.md', 'qwen.md', 'iflow.md'],
  },
  { source: 'https://developers.openai.com/codex/', folders: ['.codex'], files: ['codex.md'] },
  { source: 'https://docs.cursor.com/context/rules', folders: ['.cursor'], files: ['.cursorrules'] },
  {
    source: 'https://docs.windsurf.com/windsurf/cascade/memories',
    folders: ['.windsurf', '.codeium', '.devin'],
    files: ['.windsurfrules'],
  },
  {
    source: 'https://docs.github.com/copilot/customizing-copilot',
    files: ['copilot-instructions.md'],
    endings: ['.instructions.md', '.prompt.md', '.chatmode.md', '.agent.md'],
  },
  {
    source: 'https://docs.cline.bot/features/cline-rules',
    folders: ['.clinerules', '.cline', '.roo', '.kilocode'],
    files: ['.clinerules', '.roorules', '.roomodes', '.kilocoderules', '.kilocodemodes'],
  },
  { source: 'https://aider.chat/docs/config/aider_conf.html', stems: ['.aider.conf', '.aider.model.settings'] },
  { source: 'https://docs.continue.dev/', folders: ['.continue'], files: ['.continuerules', '.continuerc.json'] },
  { source: 'https://block.github.io/goose/docs/', folders: ['.goose'], files: ['.goosehints'] },
  {
    source: 'https://opencode.ai/docs/rules/',
    folders: ['.opencode', '.crush'],
    stems: ['.crush'],
    files: ['opencode.json', 'opencode.jsonc', 'crush.json', 'opencode.md', 'crush.md', 'warp.md'],
  },
  {
    source: 'https://kiro.dev/docs/steering/',
    folders: ['.kiro', '.amazonq', '.junie', '.trae', '.augment', '.factory', '.zencoder', '.openhands', '.cody', '.tabnine', '.rovodev'],
    files: ['.augment-guidelines'],
  },
  { source: 'https://modelcontextprotocol.io/docs', stems: ['.mcp'], files: ['mcp.json'] },
];
