/** All providers take names of this length. */
const maxLength = 64;
const maxServerLength = 20;
/** The names of the server's own tools. */
const ownNames = [
  ...['list_files', 'read_file', 'search_files', 'find_changes', 'edit_file', 'write_file', 'delete_file', 'move_file'],
  ...['run_tests', 'fetch_page', 'read_earlier_result'],
];

/**
 * Returns the name by which models call a tool: the beginning of the server's name, and the tool's own. It has letters, digits and `_`,
 * which every provider takes. A number makes it different from the names in `taken`.
 */
export function callName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const begin = plain(server).toLowerCase().slice(0, maxServerLength).replace(/_$/, '') || 'server';
  const whole = `${/^\d/.test(begin) ? 's' : ''}${begin}_${plain(tool) || 'tool'}`;
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `_${number}`;
    const name = `${whole.slice(0, maxLength - end.length)}${end}`;
    if (!taken.has(name) && !ownNames.includes(name)) return name;
  }
}

function plain(text: string): string {
  const words = text.normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? [];
  return words.join('_');
}
