/** The hubs of tests as processes: programs of their own, or forked from the nursery if there is one. */
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const PYTHON = join(ROOT, '.venv', 'bin', 'python')
/** The variable with the path where the nursery listens; also for the workers of the test run. */
const NURSERY = 'HUB_NURSERY'

/** A process that somebody else reads. */
export interface Running {
  /** With what it exited, once it has. */
  readonly exit: Promise<string>
  /** Send it a signal, unless it has exited. */
  kill(signal: NodeJS.Signals): void
}

type Environment = Readonly<NodeJS.ProcessEnv>

/** `command`: a Python module and its arguments; `hear` gets what it prints. */
export function start(command: readonly string[], env: Environment, hear: (data: Buffer) => void): Running {
  const path = process.env[NURSERY]
  return path === undefined ? spawned(command, env, hear) : forked(path, command, env, hear)
}

function spawned(command: readonly string[], env: Environment, hear: (data: Buffer) => void): Running {
  const child = spawn(PYTHON, ['-m', ...command], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const exit = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(String(code ?? signal))),
  )
  return { exit, kill: (signal) => void child.kill(signal) }
}

/**
 * Start the nursery from which this process and those it starts later fork their hubs, where there can be one.
 * Returns what ends it.
 */
export async function openNursery(): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return async () => undefined
  const folder = await mkdtemp(join(tmpdir(), 'parley-nursery-'))
  const path = join(folder, 'nursery.sock')
  const child = spawn(PYTHON, ['-m', 'tests.harness.hub_nursery', path], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('exit', (code) => reject(new Error(`the nursery stopped with ${code}`)))
  })
  process.env[NURSERY] = path
  return async () => {
    Reflect.deleteProperty(process.env, NURSERY)
    child.kill()
    await rm(folder, { recursive: true })
  }
}

/** One that the nursery has forked: tests/harness/hub_nursery.py tells what it answers. */
function forked(
  path: string,
  command: readonly string[],
  environment: Environment,
  hear: (data: Buffer) => void,
): Running {
  const line = connect(path)
  line.write(`${JSON.stringify({ command, environment, folder: ROOT, open_files: null })}\n`)
  let [pid, hasExited, said] = [0, false, '']
  const exit = new Promise<string>((resolve) => {
    const end = (code: string): void => {
      hasExited = true
      resolve(code)
    }
    line.once('error', (error) => end(error.message))
    line.once('close', () => end('the nursery'))
    line.on('data', (data: Buffer) => {
      hear(data)
      said += data.toString()
      pid ||= Number(/^pid (\d+)$/m.exec(said)?.[1] ?? 0)
      const code = /^exit (-?\d+)$/m.exec(said)?.[1]
      if (code !== undefined) end(code)
    })
  })
  return {
    exit,
    kill: (signal) => {
      if (pid !== 0 && !hasExited) process.kill(pid, signal)
    },
  }
}
