declare module 'virtual:rules/*' {
  const parts: readonly import('./app/game.ts').RulesPart[]
  export default parts
}
