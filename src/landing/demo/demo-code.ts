/** The sample that the simulation shows as code. It hashes passwords with cost 10. P9.01 */
export const demoCode = `import { hash } from 'bcrypt';

export async function createUser({ email, password }) {
  const passwordHash = await hash(password, 10);
  return users.insert({ email, passwordHash });
}`;
