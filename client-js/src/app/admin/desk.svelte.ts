/** What the operator's page and its tabs share: signing in, actions, their errors and confirmations. */
import { ApiError } from '../../sdk/api.ts'
import { apiError } from '../errors.ts'
import { t } from '../language.ts'
import { isolate } from '../names.ts'
import { admin } from './api.ts'

/** A dialog that asks for confirmation. */
export interface Question {
  readonly title: string
  readonly about: string
  /** What the button says: the action. */
  readonly button: string
  /** Whether the action takes something away from somebody. */
  readonly risky?: boolean
  readonly days?: boolean
  readonly reason?: boolean
  run(days: number, reason: string): Promise<unknown>
}

type Task = () => Promise<unknown>

export class Desk {
  access = $state<'asking' | 'nowhere' | 'out' | 'in'>('asking')
  /** The sentence under the heading: why the last action failed. */
  problem = $state('')
  question = $state.raw<Question | null>(null)
  draining = $state(false)
  #load: Task = () => Promise.resolve()

  /** Run an action; an error becomes the sentence under the heading. */
  async attempt(action: Task): Promise<void> {
    this.problem = ''
    try {
      await action()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 404 && this.access === 'asking') this.access = 'nowhere'
      else if (error.status === 401 && this.access !== 'out') this.access = 'out'
      else this.problem = error.code === 'BAD_TOKEN' ? t('admin.wrong') : apiError(error)
    }
  }

  enter(signIn: Task): Promise<void> {
    return this.attempt(async () => {
      await signIn()
      this.access = 'in'
    })
  }

  /** Load what the open tab shows, now and after each action. */
  show(load: Task): void {
    this.#load = load
    this.reload()
  }

  reload(): void {
    void this.attempt(this.#load)
  }

  act(action: Task): void {
    void this.attempt(async () => {
      await action()
      if (!this.draining) await this.#load()
    })
  }

  ask(question: Question): void {
    this.question = question
  }

  banPerson(person: string, name: string): void {
    this.ask({
      title: t('admin.ban.person', { name: isolate(name) }),
      about: t('admin.ban.about'),
      button: t('admin.ban.person.yes'),
      risky: true,
      days: true,
      reason: true,
      run: (days, reason) => admin.ban('person', person, days, reason, name),
    })
  }

  banNetwork(network: string, banned?: () => void): void {
    this.ask({
      title: t('admin.ban.network', { network }),
      about: t('admin.ban.networkAbout'),
      button: t('admin.ban.network.yes'),
      risky: true,
      days: true,
      reason: true,
      run: async (days, reason) => {
        await admin.ban('network', network, days, reason)
        banned?.()
      },
    })
  }
}
