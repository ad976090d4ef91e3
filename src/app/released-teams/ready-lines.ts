import type { InputField, ReleasedTeam } from '../../../contract/released-team.ts';

/** Lines that call a team, ready to be copied into a shell. The key stands in `$ARTEL_KEY`. */
export function readyLines({ address, input }: Pick<ReleasedTeam, 'address' | 'input'>): { curl: string; mcp: string } {
  const call = `curl -X POST '${address}/runs' -H "Authorization: Bearer $ARTEL_KEY"`;
  const parts = input.map(
    (field) => ` -F '${field.name}=${field.kind === 'file' ? '@file.txt' : sampleOf(field).replaceAll("'", "'\\''")}'`,
  );
  const json = JSON.stringify({ input: Object.fromEntries(input.map((field) => [field.name, sampleOf(field)])) }).replaceAll("'", "'\\''");
  const hasFiles = input.some(({ kind }) => kind === 'file');
  return {
    curl: hasFiles ? call + parts.join('') : `${call} -H 'Content-Type: application/json' -d '${json}'`,
    mcp: `claude mcp add --transport http artel ${new URL(address).origin}/mcp --header "Authorization: Bearer $ARTEL_KEY"`,
  };
}

function sampleOf(field: InputField): string {
  if (field.kind === 'choice') return field.choices[0] ?? '';
  return field.kind === 'number' ? '1' : '…';
}
