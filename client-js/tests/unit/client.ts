/** The environment for tests that run Svelte's effects: modules are compiled as for a browser. */
import { builtinEnvironments, type Environment } from 'vitest/runtime'

const client: Environment = { ...builtinEnvironments.node, name: 'client', viteEnvironment: 'client' }
export default client
