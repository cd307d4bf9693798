/** The seat's own notebook: saved while it is being written, wherever the page shows it. */
import { perTable } from '../pertable.svelte.ts'
import type { TableView } from '../tableview.svelte.ts'

/** How long after the last key, in milliseconds, what is written is saved. */
const PAUSE = 700

class Notebook {
  readonly #view: TableView
  /** What has been written and not saved yet. */
  #draft = $state<string | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined
  state = $state<'kept' | 'writing' | 'saving' | 'refused'>('kept')
  /** Why it was not saved. */
  why = $state('')

  constructor(view: TableView) {
    this.#view = view
  }

  get text(): string {
    return this.#draft ?? this.#view.section('note')?.text ?? ''
  }

  write(text: string): void {
    this.#draft = text
    this.state = 'writing'
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.save(), PAUSE)
  }

  async save(): Promise<void> {
    clearTimeout(this.#timer)
    const text = this.#draft
    if (text === null) return
    this.state = 'saving'
    const verdict = await this.#view.table.note(text)
    if (this.#draft !== text) return // more has been written since, and will be saved too
    this.state = verdict.code === null ? 'kept' : 'refused'
    if (verdict.code === null) this.#draft = null
    else this.why = this.#view.why(verdict)
  }
}

export const notebookOf = perTable((view) => new Notebook(view))
