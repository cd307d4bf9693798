/** The environment for tests in which Svelte's effects run: modules are compiled as for a browser. */
import { builtinEnvironments, type Environment } from 'vitest/runtime'

const client: Environment = { ...builtinEnvironments.node, name: 'client', viteEnvironment: 'client' }
export default client
