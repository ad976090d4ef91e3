/** The settings of server and client, and the terminal settings that runners read. */
const settings =
  /^(PORT|HOST|DATA_DIR|DATABASE_URL|NATS_URL|PUBLIC_URL|SMTP_URL|LOG_LEVEL|TRUST_PROXY|ALLOWED_ORIGINS|OPENAI_.*|ANTHROPIC_.*|ARTEL_.*|OTEL_.*|VITE_.*|NODE_ENV)$/;

/** Returns the environment without settings that change the tests: a test must never use a real key. */
export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.test(name)));
}
