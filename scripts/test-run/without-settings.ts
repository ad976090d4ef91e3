/** The server's and the client's settings, and what runners read of a terminal's habits. */
const settings =
  /^(PORT|HOST|DATA_DIR|DATABASE_URL|NATS_URL|PUBLIC_URL|SMTP_URL|LOG_LEVEL|TRUST_PROXY|ALLOWED_ORIGINS|OPENAI_.*|ANTHROPIC_.*|ARTEL_.*|OTEL_.*|VITE_.*|NODE_ENV)$/;

/** Returns the environment without anything that would change what is tested: a key at hand must never be spent by a test. */
export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.test(name)));
}
