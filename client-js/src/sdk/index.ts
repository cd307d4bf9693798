/** The SDK: find a table, sit down, follow the game, make moves. Runs in browsers and in Node. */
export { Api, ApiError } from './api.ts'
export type { GameInfo, NewPlace, NewRoom, Person, Place, RoomInfo, Schema } from './api.ts'
export { TableClock } from './clock.ts'
export { BadFrame, decode, encode } from './codec.ts'
export { Link, type LinkState, type OpenSocket, type SocketLike, type Timers } from './socket.ts'
export { LEFT, Table } from './table.ts'
export type { Previewed, Resume, Sections, TableOptions, TableState, Verdict } from './table.ts'
export type * as Wire from './wire.gen.ts'
