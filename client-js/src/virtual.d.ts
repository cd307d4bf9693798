declare module 'virtual:rules/*' {
  const parts: readonly import('./app/game.ts').RulesPart[]
  export default parts
}
declare module 'virtual:lessons' {
  const lessons: Readonly<
    Partial<Record<string, () => Promise<{ readonly default: import('./app/lesson/texts.ts').LessonTexts }>>>
  >
  export default lessons
}
declare module 'virtual:coaches' {
  const coaches: Readonly<
    Partial<
      Record<
        string,
        () => Promise<{ readonly default: Readonly<Record<string, import('./app/words.ts').Message>> }>
      >
    >
  >
  export default coaches
}
declare module 'virtual:talk' {
  const talk: Readonly<
    Partial<Record<string, () => Promise<{ readonly default: import('./app/game.ts').TalkTexts }>>>
  >
  export default talk
}
declare module 'virtual:texts/*/talk' {
  const texts: import('./app/game.ts').TalkTexts
  export default texts
}
declare module 'virtual:texts' {
  const texts: Readonly<
    Record<keyof import('./app/texts/keys.gen.ts').AppTexts, import('./app/words.ts').Message>
  >
  export default texts
}
declare module 'virtual:texts/*/coach' {
  const texts: Readonly<Record<string, import('./app/words.ts').Message>>
  export default texts
}
declare module 'virtual:texts/*/card' {
  const texts: import('./app/game.ts').CardTexts
  export default texts
}
declare module 'virtual:texts/*' {
  const texts: unknown
  export default texts
}
