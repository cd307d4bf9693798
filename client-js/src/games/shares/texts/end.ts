/** The end, and the keys. */

export const end = {
  resultCompanies: 'What the shares are worth',
  resultCompany: 'Company',
  resultPlace: 'Place',
  resultPrize: 'Prize',
  resultClaimed: 'Shares',
  resultValue: 'A share',
  resultLost: 'lost',
  resultScores: 'Points by company',
  resultHolders: 'Who held what',
  resultTrackers: 'Everybody’s trackers',
  resultHand: 'Cards left: {cards}',
  resultNoHand: 'No cards left',
  scoreSaid: '{name}: {points} points ({parts})',
  scorePart: '{company} {points}',
  holdersSaid: '{company}: {parts}',
  holdersPart: '{name} {count}',
  holdersNone: 'nobody',
  exactly: '{whole} {top}/{bottom}',

  keyCard: 'Choose a card or a tower',
  keyArrows: 'From card to card, tower to tower',
  keyEnter: 'Lock, play, confirm',
  keyEscape: 'Let the choice go',
} as const
