/** The plan that this person is writing, wherever the page shows it. */
import { perTable } from '../../app/pertable.svelte.ts'

class PlanDraft {
  editing = $state(false)
  bids = $state<number[]>([])
}

export const planDraftOf = perTable(() => new PlanDraft())
