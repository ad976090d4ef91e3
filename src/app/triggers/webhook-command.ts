import type { WebhookScheme } from '../../../contract/trigger.ts';

/** `secret`: null where it is not shown any more. `event`: the kind of the event; null for none. */
type Webhook = { scheme: WebhookScheme; address: string; secret: string | null; event: string | null; body: string };

/** The headers that say the kind of an event. Programs of one's own have that of CloudEvents. */
const eventHeaders: Record<WebhookScheme, string> = {
  standard: 'ce-type',
  bearer: 'ce-type',
  github: 'X-GitHub-Event',
  gitea: 'X-Gitea-Event',
  gitlab: 'X-Gitlab-Event',
};

const hmac = (scheme: 'github' | 'gitea') =>
  [
    `SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')`,
    `ID=$(openssl rand -hex 16)`,
    ...(scheme === 'github'
      ? ['set -- -H "X-Hub-Signature-256: sha256=$SIGNATURE" -H "X-GitHub-Delivery: $ID"']
      : ['set -- -H "X-Gitea-Signature: $SIGNATURE" -H "X-Gitea-Delivery: $ID"']),
  ] as const;

/** The lines that prove the sender, and put the headers of it into the arguments of the shell. */
const proofs: Record<WebhookScheme, readonly string[]> = {
  standard: [
    'ID=msg_$(openssl rand -hex 12)',
    'TIME=$(date +%s)',
    `KEY=$(printf %s "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
    'SIGNATURE=$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)',
    'set -- -H "webhook-id: $ID" -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE"',
  ],
  github: hmac('github'),
  gitea: hmac('gitea'),
  gitlab: ['set -- -H "X-Gitlab-Token: $SECRET" -H "Idempotency-Key: $(openssl rand -hex 16)"'],
  bearer: ['set -- -H "Authorization: Bearer $SECRET" -H "Idempotency-Key: $(openssl rand -hex 16)"'],
};

/** Returns the lines for a shell that send a body to a webhook, signed as its scheme wants it. Each time it is another delivery. */
export function commandOf({ scheme, address, secret, event, body }: Webhook): string {
  const kind = event === null ? '' : `-H ${quoted(`${eventHeaders[scheme]}: ${event}`)} `;
  const send = `curl -sS ${quoted(address)} "$@" ${kind}-H 'Content-Type: application/json' --data-binary "$BODY"`;
  return [`SECRET=${quoted(secret ?? '…')}`, `BODY=${quoted(body)}`, ...proofs[scheme], send].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
