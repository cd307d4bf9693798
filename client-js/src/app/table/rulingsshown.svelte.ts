/** Whether the rules show the numbers of the rulings behind them, until the page is closed. */
export const rulings = $state({ shown: false })
