// Written by `python -m tools.typescript` from games/*/texts/en.json and texts/en.json beside this file.
// Do not edit: change those and run it again.

/** Every UI string in the app, with the arguments it names. */
export interface AppTexts {
  readonly "app.name": never
  readonly "app.tools": never
  readonly "app.news": never
  readonly "app.notice": never
  readonly "close": never
  readonly "ok": never
  readonly "loading": never
  readonly "cancel": never
  readonly "tab": "what" | "code"
  readonly "title": "what"
  readonly "home.title": never
  readonly "card.seats": "least" | "most"
  readonly "card.minutes": "least" | "most"
  readonly "card.minutes.alone": "count"
  readonly "card.play": never
  readonly "card.bots": never
  readonly "card.bots.easy": never
  readonly "card.bots.normal": never
  readonly "card.bots.hard": never
  readonly "card.new": never
  readonly "card.play.name": "game"
  readonly "card.new.name": "game"
  readonly "card.learn": never
  readonly "card.learn.name": "game"
  readonly "card.about": never
  readonly "card.about.name": "game"
  readonly "about.title": "game"
  readonly "about.preview": "game"
  readonly "about.description": "goal" | "least" | "most" | "short" | "long"
  readonly "about.home": never
  readonly "about.play": never
  readonly "about.play.name": "game"
  readonly "about.learn": never
  readonly "about.watch": never
  readonly "about.minute": never
  readonly "about.alone": never
  readonly "about.credit": never
  readonly "about.others": never
  readonly "about.rules": never
  readonly "about.overview": never
  readonly "nowhere.title": never
  readonly "nowhere.about": never
  readonly "join.label": never
  readonly "join.example": never
  readonly "join.go": never
  readonly "join.title": never
  readonly "join.change": never
  readonly "join.sit": "letter"
  readonly "join.locked": never
  readonly "ask.title": never
  readonly "ask.about": never
  readonly "ask.about.code": "code"
  readonly "ask.ask": never
  readonly "ask.waiting": never
  readonly "ask.open": "name"
  readonly "ask.stop": never
  readonly "ask.noHost": never
  readonly "door.label": never
  readonly "door.asks": "name"
  readonly "door.more": "count"
  readonly "door.admit": never
  readonly "door.admit.name": "name"
  readonly "door.refuse": never
  readonly "door.refuse.name": "name"
  readonly "rooms.mine": never
  readonly "rooms.back": never
  readonly "rooms.finished": never
  readonly "rooms.result": never
  readonly "rooms.end": never
  readonly "rooms.end.table": "table"
  readonly "rooms.hide": "table"
  readonly "rooms.open": never
  readonly "rooms.open.none": never
  readonly "rooms.live": never
  readonly "rooms.live.none": never
  readonly "rooms.hosted": "game" | "host"
  readonly "rooms.taken": "taken" | "seats"
  readonly "rooms.playing": "count"
  readonly "rooms.watchers": "count"
  readonly "rooms.sit": never
  readonly "rooms.watch": never
  readonly "rooms.more": never
  readonly "new.title": "game"
  readonly "new.back": never
  readonly "new.you": never
  readonly "new.table": never
  readonly "new.seats": never
  readonly "new.seats.about": never
  readonly "new.open": never
  readonly "new.open.about": never
  readonly "new.shared": never
  readonly "new.shared.about": never
  readonly "new.grace": never
  readonly "new.grace.about": never
  readonly "new.grace.1min": never
  readonly "new.grace.3min": never
  readonly "new.grace.game": never
  readonly "delay.title": never
  readonly "delay.about": never
  readonly "delay.none": never
  readonly "delay.30s": never
  readonly "delay.2min": never
  readonly "delay.10min": never
  readonly "delay.round": never
  readonly "delay.you": "delay"
  readonly "delay.spectators": "delay"
  readonly "delay.later": "delay"
  readonly "new.unofficial": never
  readonly "new.create": never
  readonly "person.title": never
  readonly "person.who": never
  readonly "person.about": never
  readonly "person.name": never
  readonly "person.colour": never
  readonly "person.taken": never
  readonly "person.save": never
  readonly "person.saved": "name"
  readonly "person.id": never
  readonly "person.id.about": never
  readonly "person.id.copy": never
  readonly "person.id.copied": never
  readonly "person.id.byHand": never
  readonly "transfer.title": never
  readonly "transfer.about": never
  readonly "transfer.about.typed": never
  readonly "transfer.qr": never
  readonly "transfer.code": never
  readonly "transfer.where": "address"
  readonly "transfer.left": "seconds"
  readonly "transfer.keep": never
  readonly "transfer.keep.about": never
  readonly "transfer.open": "address"
  readonly "transfer.ask": never
  readonly "transfer.ask.move": never
  readonly "transfer.ask.keep": never
  readonly "transfer.yes": never
  readonly "transfer.no": never
  readonly "transfer.waiting": never
  readonly "transfer.expired": never
  readonly "transfer.again": never
  readonly "transfer.moved": never
  readonly "transfer.shared": never
  readonly "transfer.here": "name"
  readonly "transfer.tables": "count"
  readonly "transfer.confirm": never
  readonly "transfer.replaces": "name"
  readonly "transfer.stopped": never
  readonly "transfer.enter.title": never
  readonly "transfer.enter.about": never
  readonly "transfer.enter.label": never
  readonly "transfer.enter.go": never
  readonly "person.names": never
  readonly "colour.0": never
  readonly "colour.1": never
  readonly "colour.2": never
  readonly "colour.3": never
  readonly "colour.4": never
  readonly "colour.5": never
  readonly "colour.6": never
  readonly "colour.7": never
  readonly "colour.8": never
  readonly "colour.9": never
  readonly "colour.10": never
  readonly "colour.11": never
  readonly "callback.label": never
  readonly "callback.offer": never
  readonly "callback.yes": never
  readonly "callback.no": never
  readonly "callback.on": never
  readonly "callback.denied": never
  readonly "callback.body.hidden": never
  readonly "callback.body": "code"
  readonly "settings.notifications": never
  readonly "settings.notifications.about": never
  readonly "awake.about": never
  readonly "settings.open": never
  readonly "settings.title": never
  readonly "settings.theme": never
  readonly "settings.system": never
  readonly "settings.light": never
  readonly "settings.dark": never
  readonly "settings.contrast": never
  readonly "settings.motion": never
  readonly "settings.motion.about": never
  readonly "settings.sound": never
  readonly "settings.sound.about": never
  readonly "sound.offer": never
  readonly "sound.offer.yes": never
  readonly "sound.offer.no": never
  readonly "settings.vibration": never
  readonly "settings.shortcuts": never
  readonly "settings.shortcuts.about": never
  readonly "settings.call": never
  readonly "settings.call.about": never
  readonly "settings.tips": never
  readonly "settings.tips.about": never
  readonly "settings.hand": never
  readonly "settings.hand.about": never
  readonly "settings.streamer": never
  readonly "settings.streamer.about": never
  readonly "streamer.label": never
  readonly "streamer.waits": never
  readonly "streamer.hold": never
  readonly "streamer.hold.key": never
  readonly "streamer.covered": never
  readonly "streamer.code": never
  readonly "streamer.transfer": never
  readonly "help.open": never
  readonly "help.touch.open": never
  readonly "help.title": never
  readonly "help.streamer": never
  readonly "help.off": never
  readonly "help.touch.title": never
  readonly "help.touch.choose": never
  readonly "help.touch.confirm": never
  readonly "help.touch.stage": never
  readonly "help.touch.tabs": never
  readonly "help.touch.menu": never
  readonly "help.touch.home": never
  readonly "help.about": never
  readonly "help.help": never
  readonly "help.tab": never
  readonly "help.talk": never
  readonly "help.deals": never
  readonly "help.log": never
  readonly "help.notes": never
  readonly "help.aid": never
  readonly "help.rules": never
  readonly "help.board": never
  readonly "help.hand": never
  readonly "help.escape": never
  readonly "tv.person": never
  readonly "tv.join": never
  readonly "tv.private": never
  readonly "tv.open": never
  readonly "tv.full": never
  readonly "tv.host.seats": never
  readonly "tv.host.sit": never
  readonly "tv.leave": never
  readonly "tv.seats": never
  readonly "tv.log": never
  readonly "tv.waiting": never
  readonly "tv.waiting.here": never
  readonly "tv.waiting.about": "free" | "host"
  readonly "tv.missing": "names"
  readonly "tv.missing.about": never
  readonly "tv.ask": never
  readonly "tv.ask.about": never
  readonly "share.label": never
  readonly "share.title": never
  readonly "share.code": never
  readonly "share.qr": never
  readonly "share.here": never
  readonly "share.copy": never
  readonly "share.send": never
  readonly "share.tv": never
  readonly "share.copied": never
  readonly "share.byHand": never
  readonly "share.private": never
  readonly "share.admission": never
  readonly "seats.label": never
  readonly "seat.free": never
  readonly "seat.bot": "letter"
  readonly "seat.state.you": never
  readonly "seat.you": never
  readonly "seat.state.host": never
  readonly "seat.state.bot": never
  readonly "seat.badge.bot": never
  readonly "seat.state.kept": never
  readonly "seat.state.asked": never
  readonly "seat.state.left": never
  readonly "seat.state.away": never
  readonly "seat.state.done": never
  readonly "seat.state.turn": never
  readonly "seat.state.notDone": never
  readonly "seat.kept": never
  readonly "seat.takeBack": never
  readonly "seat.standIn": never
  readonly "seat.leave": never
  readonly "seat.leave.sure": never
  readonly "seat.leave.late": never
  readonly "seat.offer": never
  readonly "seat.offer.about": never
  readonly "seat.leave.alone": never
  readonly "seat.leave.end": never
  readonly "seat.leave.yes": never
  readonly "level.easy": never
  readonly "level.normal": never
  readonly "level.hard": never
  readonly "bot.easy": never
  readonly "bot.normal": never
  readonly "bot.hard": never
  readonly "wait.title": "game"
  readonly "wait.about": "host"
  readonly "wait.about.host": never
  readonly "wait.about.nobody": never
  readonly "wait.seat": "letter"
  readonly "wait.you": never
  readonly "wait.ready": never
  readonly "wait.notReady": never
  readonly "wait.host": never
  readonly "wait.away": never
  readonly "wait.sit": never
  readonly "wait.sitAt": "letter"
  readonly "wait.moveHere": never
  readonly "wait.more": "seat"
  readonly "wait.addBot": "level"
  readonly "wait.removeBot": never
  readonly "wait.swap": never
  readonly "wait.swapHere": never
  readonly "wait.swapping": "name"
  readonly "wait.standUp": never
  readonly "wait.kick": never
  readonly "wait.options": never
  readonly "wait.start": never
  readonly "wait.starting": never
  readonly "wait.missing": "names"
  readonly "wait.startMissing": "names" | "count"
  readonly "wait.about.again": never
  readonly "wait.previous": never
  readonly "wait.held": never
  readonly "wait.startBots": "count"
  readonly "wait.startFull": never
  readonly "wait.startNobody": never
  readonly "wait.startAnyway": "names"
  readonly "wait.iAmReady": never
  readonly "wait.unready": never
  readonly "wait.readyHint": "host"
  readonly "wait.hostGone": "host"
  readonly "wait.hostGone.within": "host" | "seconds"
  readonly "wait.hostGone.full": never
  readonly "wait.hostGone.ready": never
  readonly "wait.notReadyHint": never
  readonly "wait.full": never
  readonly "wait.watching": never
  readonly "host.title": never
  readonly "host.you": never
  readonly "vote.label": never
  readonly "vote.title": never
  readonly "vote.about": never
  readonly "vote.call": "kind" | "name"
  readonly "vote.asks": "kind" | "name"
  readonly "vote.count": "yes" | "no" | "needed"
  readonly "vote.seconds": "seconds"
  readonly "vote.yes": never
  readonly "vote.no": never
  readonly "vote.own": "own"
  readonly "vote.aboutYou": never
  readonly "vote.not.bot": never
  readonly "vote.not.running": never
  readonly "vote.not.remove": never
  readonly "host.lock": never
  readonly "host.lock.about": never
  readonly "host.hear": never
  readonly "host.hear.about": never
  readonly "host.watching": never
  readonly "host.watching.about": never
  readonly "host.admission": never
  readonly "host.admission.about": never
  readonly "host.latecomers": never
  readonly "host.latecomers.about": never
  readonly "host.watchers": "count"
  readonly "host.watchers.more": "count"
  readonly "host.removeWatcher.sure": "name"
  readonly "host.remove.name": "name"
  readonly "host.pause": never
  readonly "host.handOver": never
  readonly "host.remove": never
  readonly "host.remove.sure": "name"
  readonly "host.remove.yes": never
  readonly "table.opening": never
  readonly "table.home": never
  readonly "table.tools": never
  readonly "table.watching": never
  readonly "table.alsoWatching": "count"
  readonly "late.about": never
  readonly "late.open": never
  readonly "late.what": never
  readonly "late.take": "name"
  readonly "late.take.short": never
  readonly "late.locked": never
  readonly "late.kept": "name"
  readonly "table.unknownGame": never
  readonly "table.gone": never
  readonly "table.banned": never
  readonly "table.bannedUntil": "time"
  readonly "table.closed": never
  readonly "table.full": never
  readonly "table.ticket": never
  readonly "table.manyPlaces": never
  readonly "table.removed": never
  readonly "table.fault": never
  readonly "table.youEnded": never
  readonly "table.youLeft": never
  readonly "table.stoodUp": never
  readonly "table.seatMoved": "letter"
  readonly "table.retrying": never
  readonly "stage.label": never
  readonly "stage.turn": "name"
  readonly "stage.waitsFor": "names"
  readonly "stage.away": "names" | "count" | "grace"
  readonly "stage.away.vote": never
  readonly "stage.paused": never
  readonly "stage.paused.host": never
  readonly "stage.paused.vote": never
  readonly "stage.paused.anybody": never
  readonly "stage.paused.resume": "host"
  readonly "stage.paused.empty": never
  readonly "stage.paused.fault": never
  readonly "stage.resume": never
  readonly "stage.extend": never
  readonly "stage.extend.left": "count"
  readonly "stage.lastCall": never
  readonly "ahead.offer": "what"
  readonly "ahead.lapsed": "what"
  readonly "stage.skip": never
  readonly "stage.skipping": never
  readonly "stage.goal": "goal"
  readonly "coach.label": never
  readonly "coach.close": never
  readonly "coach.off": never
  readonly "coach.off.said": never
  readonly "lesson.goal": "goal" | "about"
  readonly "lesson.you": "name"
  readonly "lesson.label": never
  readonly "lesson.progress": never
  readonly "lesson.on": never
  readonly "lesson.promise": never
  readonly "lesson.quick": never
  readonly "lesson.notYet": "target"
  readonly "lesson.instead": "sent" | "wanted"
  readonly "lesson.first": "wanted"
  readonly "lesson.leave": never
  readonly "lesson.leave.name": never
  readonly "lesson.over": never
  readonly "lesson.play": never
  readonly "time.left": "count"
  readonly "link.lost": never
  readonly "clock.stopped": never
  readonly "version.new": never
  readonly "version.reload": never
  readonly "version.incomplete": never
  readonly "link.lost.watching": never
  readonly "link.back": never
  readonly "link.steppedBack": never
  readonly "missed.title": never
  readonly "missed.close": never
  readonly "panels.label": never
  readonly "panel.table": never
  readonly "panel.hand": never
  readonly "panel.board": never
  readonly "panel.deals": never
  readonly "panel.talk": never
  readonly "panel.log": never
  readonly "panel.notes": never
  readonly "panel.aid": never
  readonly "panel.rules": never
  readonly "panel.calls": never
  readonly "talk.lines": never
  readonly "talk.none": never
  readonly "talk.none.watchers": never
  readonly "talk.closed": never
  readonly "talk.phrases": never
  readonly "talk.phrases.more": never
  readonly "talk.phrases.fewer": never
  readonly "talk.say": never
  readonly "talk.say.watchers": never
  readonly "talk.write": never
  readonly "talk.bots": never
  readonly "talk.call": never
  readonly "talk.spectator": never
  readonly "talk.amongWatchers": never
  readonly "talk.toTable": never
  readonly "talk.toWatchers": never
  readonly "talk.send": never
  readonly "talk.to": never
  readonly "talk.toAll": never
  readonly "talk.bot": "name"
  readonly "talk.whispered": "name"
  readonly "talk.unread": "count"
  readonly "talk.open": never
  readonly "talk.asked": never
  readonly "talk.asked.later": never
  readonly "promise.breaks": "count" | "text" | "names"
  readonly "promise.half": "text"
  readonly "promise.open": never
  readonly "promise.count": "count"
  readonly "promise.title": never
  readonly "promise.intro": never
  readonly "promise.what": never
  readonly "promise.to": never
  readonly "promise.toAll": never
  readonly "promise.toSome": never
  readonly "promise.nobody": never
  readonly "promise.private": never
  readonly "promise.told": never
  readonly "promise.make": never
  readonly "promise.none": never
  readonly "promise.waiting": never
  readonly "promise.list": never
  readonly "promise.made": "seat" | "seats" | "text"
  readonly "promise.madeAll": "seat" | "text"
  readonly "promise.only": never
  readonly "promise.is": "judgement"
  readonly "promise.excused": never
  readonly "promise.gain": "gain" | "name"
  readonly "promise.gains": "name" | "gains"
  readonly "honesty.title": never
  readonly "honesty.none": never
  readonly "honesty.count": "kept" | "broken"
  readonly "honesty.broke": "name" | "count" | "yours" | "toYou" | "won"
  readonly "honesty.youBroke": "count"
  readonly "honesty.more": "names"
  readonly "honesty.allKept": never
  readonly "honesty.show": never
  readonly "honesty.note": never
  readonly "honesty.gain": never
  readonly "conduct.open": "name"
  readonly "mute.mute": "name"
  readonly "mute.about": never
  readonly "mute.hidden": "count"
  readonly "mute.show": never
  readonly "report.menu": never
  readonly "report.title": never
  readonly "report.about": never
  readonly "report.reason": never
  readonly "report.reason.harassment": never
  readonly "report.reason.insults": never
  readonly "report.reason.cheating": never
  readonly "report.reason.name": never
  readonly "report.reason.spam": never
  readonly "report.reason.other": never
  readonly "report.choose": never
  readonly "report.text": never
  readonly "report.send": never
  readonly "report.sent": never
  readonly "follow.seat": "name"
  readonly "follow.label": never
  readonly "follow.stop": "name"
  readonly "follow.now": "name"
  readonly "follow.none": never
  readonly "follow.line": never
  readonly "help.follow": never
  readonly "log.none": never
  readonly "notes.about": never
  readonly "notes.kept": never
  readonly "notes.saving": never
  readonly "notes.locked": never
  readonly "notes.refused": "why"
  readonly "rules.search": never
  readonly "rules.why": never
  readonly "rules.ruling": never
  readonly "rules.none": "words"
  readonly "rules.failed": never
  readonly "rules.retry": never
  readonly "rules.missing": never
  readonly "deals.waiting": "count"
  readonly "deals.waiting.short": "count"
  readonly "deals.incoming": never
  readonly "deals.incoming.none": never
  readonly "deals.outgoing": never
  readonly "deals.past": never
  readonly "deals.past.incoming": "name" | "give" | "wish"
  readonly "deals.past.outgoing": "name" | "give" | "wish"
  readonly "deals.prepared": never
  readonly "deals.prepared.about": never
  readonly "deals.from": "name"
  readonly "deals.to": "name"
  readonly "deals.youGet": never
  readonly "deals.youGive": never
  readonly "deals.wished": never
  readonly "deals.nothing": never
  readonly "deals.times": "count" | "what"
  readonly "deals.accept": never
  readonly "deals.accept.choose": never
  readonly "deals.accept.says": "give" | "get"
  readonly "deals.accept.yes": never
  readonly "deals.accept.no": never
  readonly "deals.accept.needed": never
  readonly "deals.cannot": never
  readonly "deals.counter": never
  readonly "deals.decline": never
  readonly "deals.withdraw": never
  readonly "deals.send": never
  readonly "deals.send.now": never
  readonly "deals.send.gift": never
  readonly "deals.sent": never
  readonly "deals.keep": never
  readonly "deals.keep.full": never
  readonly "deals.remove": never
  readonly "deals.unusable": never
  readonly "deals.changed": never
  readonly "deals.new": never
  readonly "deals.answering": "name"
  readonly "deals.back": never
  readonly "deals.toWhom": never
  readonly "deals.give": never
  readonly "deals.give.none": never
  readonly "deals.wish": never
  readonly "deals.shelves": never
  readonly "deals.wish.none": never
  readonly "deals.dropped": "what"
  readonly "deals.more": "what"
  readonly "deals.less": "what"
  readonly "deals.choose.to": never
  readonly "deals.choose.what": never
  readonly "deals.preview": "name" | "give" | "wish"
  readonly "deals.preview.gift": "name" | "give"
  readonly "deals.preview.request": "name" | "wish"
  readonly "deals.shows": "name"
  readonly "deals.shows.anybody": never
  readonly "deals.closed": never
  readonly "deals.closed.keep": never
  readonly "deals.outlived": "name"
  readonly "deals.ended.traded": never
  readonly "deals.ended.countered": never
  readonly "deals.ended.declined": never
  readonly "deals.ended.withdrawn": never
  readonly "deals.ended.gone": never
  readonly "deals.ended.over": never
  readonly "deals.ended.lapsed": never
  readonly "deals.ended.closed": never
  readonly "deals.notice": "name"
  readonly "deals.notice.ended": "name" | "what"
  readonly "deals.notice.past": "name" | "what"
  readonly "deals.notice.hush": never
  readonly "answer.sent": never
  readonly "answer.changed": never
  readonly "answer.voted": never
  readonly "answer.called": never
  readonly "answer.said": never
  readonly "answer.refused": "why"
  readonly "stepper.less": "label"
  readonly "stepper.more": "label"
  readonly "result.over": never
  readonly "result.abandoned": never
  readonly "result.abandoned.about": never
  readonly "result.won": "count" | "seats"
  readonly "result.you": never
  readonly "result.youAmong": never
  readonly "result.place": never
  readonly "result.inYou": "start"
  readonly "result.closest": never
  readonly "result.turned": never
  readonly "result.decided": never
  readonly "result.download": never
  readonly "result.again": never
  readonly "result.again.about": never
  readonly "result.again.count": "pressed" | "all"
  readonly "result.again.go": "pressed" | "all"
  readonly "result.again.watch": "pressed" | "all"
  readonly "result.again.want": "names" | "count" | "game"
  readonly "result.again.wantRotated": "names" | "count" | "game"
  readonly "result.again.nobody": never
  readonly "result.again.choose": never
  readonly "result.again.game": never
  readonly "result.again.seats": never
  readonly "result.again.kept": never
  readonly "result.again.rotated": never
  readonly "result.home": never
  readonly "result.seed": never
  readonly "result.seed.hash": never
  readonly "result.fair": never
  readonly "result.fair.salts": "count"
  readonly "result.fair.kept": never
  readonly "result.fair.changed": never
  readonly "result.fair.restarts": "count"
  readonly "result.fair.about": never
  readonly "refusal.why": never
  readonly "refusal.STALE_PROMPT": never
  readonly "refusal.BAD_MOVE": never
  readonly "refusal.TOO_OLD": never
  readonly "refusal.BUSY": never
  readonly "refusal.NOT_SEATED": never
  readonly "refusal.NOT_HOST": never
  readonly "refusal.NOT_NOW": never
  readonly "refusal.NO_SUCH_SEAT": never
  readonly "refusal.NO_SUCH_PERSON": never
  readonly "refusal.NO_ROUNDS": never
  readonly "refusal.NO_SUCH_LEVEL": never
  readonly "refusal.SEAT_TAKEN": never
  readonly "refusal.NOTHING_SAID": never
  readonly "refusal.TOO_MANY_MOVES": never
  readonly "refusal.VOTE_NEEDED": never
  readonly "refusal.VOTE_RUNNING": never
  readonly "refusal.CALLED_LATELY": "seconds"
  readonly "refusal.TOO_FEW_VOTERS": never
  readonly "refusal.NO_SUCH_VOTE": never
  readonly "refusal.NOT_OUT": never
  readonly "refusal.NOT_IN_LESSON": never
  readonly "refusal.OTHERS_PLAY": never
  readonly "refusal.NO_VOTE": never
  readonly "refusal.WATCHERS_UNHEARD": never
  readonly "refusal.OPEN_TABLE": never
  readonly "refusal.TALK_CLOSED": never
  readonly "refusal.PHRASES_ONLY": never
  readonly "refusal.NO_SUCH_PHRASE": never
  readonly "refusal.WHISPERS_OFF": never
  readonly "refusal.NO_SUCH_PROMISE": never
  readonly "refusal.PROMISED_ALREADY": never
  readonly "refusal.CONTRADICTION": never
  readonly "refusal.TOO_MANY_OPEN": "most"
  readonly "refusal.TOO_MANY_PROMISES": "most"
  readonly "refusal.NOTES_LOCKED": never
  readonly "refusal.TOO_LONG": never
  readonly "refusal.PAUSED": never
  readonly "refusal.SLOW_DOWN": never
  readonly "refusal.BAD_SALT": never
  readonly "refusal.NOTHING_TO_SHOW": never
  readonly "refusal.BOT_PLAYS": never
  readonly "refusal.BROKEN": never
  readonly "refusal.LEFT": never
  readonly "refusal.other": "code"
  readonly "admin.title": never
  readonly "admin.token": never
  readonly "admin.token.about": never
  readonly "admin.signIn": never
  readonly "admin.signOut": never
  readonly "admin.wrong": never
  readonly "admin.tables": never
  readonly "admin.reports": never
  readonly "admin.people": never
  readonly "admin.bans": never
  readonly "admin.audit": never
  readonly "admin.refresh": never
  readonly "admin.status.waiting": never
  readonly "admin.status.running": never
  readonly "admin.status.paused": never
  readonly "admin.status.finished": never
  readonly "admin.older": never
  readonly "admin.tables.none": never
  readonly "admin.reports.none": never
  readonly "admin.people.none": never
  readonly "admin.audit.none": never
  readonly "admin.elsewhere": "hub"
  readonly "admin.close": never
  readonly "admin.close.title": "code"
  readonly "admin.close.yes": never
  readonly "admin.close.about": never
  readonly "admin.ban": never
  readonly "admin.banNetwork": never
  readonly "admin.banNetwork.named": "network"
  readonly "admin.ban.person": "name"
  readonly "admin.ban.person.yes": never
  readonly "admin.ban.network.yes": never
  readonly "admin.ban.about": never
  readonly "admin.ban.network": "network"
  readonly "admin.ban.networkAbout": never
  readonly "admin.network": never
  readonly "admin.days": never
  readonly "admin.reason": never
  readonly "admin.until": "time"
  readonly "admin.banned": "time"
  readonly "admin.bans.none": never
  readonly "admin.lift": never
  readonly "admin.closed": "room"
  readonly "admin.reopen": never
  readonly "admin.revoked": "person"
  readonly "admin.before": "time"
  readonly "admin.revoke": never
  readonly "admin.revoke.title": "name"
  readonly "admin.revoke.about": never
  readonly "admin.handle": never
  readonly "admin.handle.yes": never
  readonly "admin.handle.title": never
  readonly "admin.handle.about": never
  readonly "admin.handled": "note"
  readonly "admin.from": "name"
  readonly "admin.drain": never
  readonly "admin.drain.title": never
  readonly "admin.drain.about": never
  readonly "admin.draining": never
  readonly "admin.thisMachine": never
  readonly "error.UNREACHABLE": never
  readonly "error.BAD_ANSWER": never
  readonly "error.NAME_RESERVED": never
  readonly "error.BAD_NAME": never
  readonly "error.NO_SUCH_ROOM": never
  readonly "error.TABLE_CLOSED": never
  readonly "error.GAME_ENDED": never
  readonly "error.OTHER_VERSION": never
  readonly "error.SEAT_TAKEN": never
  readonly "error.NO_SUCH_SEAT": never
  readonly "error.TABLE_LOCKED": never
  readonly "error.ASK_TO_COME_IN": never
  readonly "error.REMOVED": never
  readonly "error.NO_LATECOMERS": never
  readonly "error.ALREADY_SEATED": never
  readonly "error.HELD_ANOTHER_SEAT": never
  readonly "error.HOSTED_LIVE": never
  readonly "error.NOT_AT_TABLE": never
  readonly "error.DOOR_CROWDED": never
  readonly "error.WATCHING_CLOSED": never
  readonly "error.SLOW_DOWN": never
  readonly "error.TOO_MANY_TABLES": never
  readonly "error.HUB_FULL": never
  readonly "error.UNAVAILABLE": never
  readonly "error.DRAINING": never
  readonly "error.DEFECT": never
  readonly "error.RECORD_CLOSED": never
  readonly "error.NO_RECORD": never
  readonly "error.NO_SUCH_TRANSFER": never
  readonly "error.NOT_CLAIMED": never
  readonly "error.CONTINUED_ELSEWHERE": never
  readonly "error.STILL_RUNNING": never
  readonly "error.NOT_NOW": never
  readonly "line.table.sat_down": "name"
  readonly "line.table.stood_up": "name"
  readonly "line.table.seat_freed": "name"
  readonly "line.table.bot_added": "seat"
  readonly "line.table.bot_removed": "name"
  readonly "line.table.swapped": "a" | "b"
  readonly "line.table.started": never
  readonly "line.table.silent": "name"
  readonly "line.table.paused": never
  readonly "line.table.paused_empty": never
  readonly "line.table.paused_fault": never
  readonly "line.table.resumed": never
  readonly "line.table.removed": "name"
  readonly "line.table.left": "name"
  readonly "line.table.stands_in": "name"
  readonly "line.table.handed_to_bot": "name"
  readonly "line.table.took_back": "name"
  readonly "line.table.new_host": "name"
  readonly "line.table.paused_vote": never
  readonly "line.table.voted_out": "name"
  readonly "line.table.abandoned": never
  readonly "line.table.skipped": "name"
  readonly "line.table.deserted": "name"
  readonly "line.table.vote_called": "kind" | "by" | "name"
  readonly "line.table.vote_passed": "kind" | "yes" | "no" | "name"
  readonly "line.table.vote_failed": "kind" | "yes" | "no" | "name"
  readonly "line.table.vote_lapsed": "kind" | "name"
  readonly "line.table.locked": never
  readonly "line.table.unlocked": never
  readonly "line.table.watching_closed": never
  readonly "line.table.watchers_heard": never
  readonly "line.table.watchers_unheard": never
  readonly "line.table.watching_open": never
  readonly "line.table.watch_delay": "delay"
  readonly "line.table.admission_on": never
  readonly "line.table.admission_off": never
  readonly "line.table.watcher_removed": never
  readonly "line.table.took_over": "name" | "previous"
  readonly "line.promise.made": "seat" | "seats" | "text"
  readonly "line.promise.madeAll": "seat" | "text"
  readonly "line.promise.kept": "seat" | "text"
  readonly "line.promise.broken": "seat" | "text"
  readonly "line.promise.broken_by_bot": "seat" | "text"
  readonly "line.promise.lapsed": "seat" | "text"
  readonly "line.table.latecomers_on": never
  readonly "line.table.latecomers_off": never
}

export interface AlmostTexts {
  readonly lines: "almost.round" | "almost.proposed" | "almost.agreed" | "almost.withdrew" | "almost.revealed" | "almost.auto" | "almost.scored" | "almost.broke" | "almost.nobodyScored" | "almost.won" | "almost.nobodyWon" | "timeControl.extended" | "timeControl.lastCall" | "timeControl.away" | "timeControl.back" | "promise.made" | "promise.kept" | "promise.broken" | "promise.broken_by_bot" | "promise.lapsed"
  readonly phrases: "almost.say.whatFor" | "almost.say.threat" | "almost.say.agreed" | "almost.say.trustMe" | "almost.say.followPlan" | "almost.say.yourTurnNext" | "almost.say.myTurn" | "almost.say.takeOne" | "almost.say.noDeal" | "almost.say.promiseMe" | "almost.say.youPromised" | "almost.say.somebodyLied" | "almost.say.thanks" | "almost.say.wellPlayed" | "almost.say.oops" | "almost.say.hurry"
  readonly ui: {
    readonly "round": "round" | "rounds"
    readonly "hands": never
    readonly "handIn": "name"
    readonly "handOut": "name"
    readonly "handBid": "name" | "number"
    readonly "handWin": "name" | "number"
    readonly "handTie": "name" | "number"
    readonly "auto": never
    readonly "lineWin": "number"
    readonly "scored": "number" | "seat"
    readonly "youScored": "number"
    readonly "scoredWhy": never
    readonly "scoredBanbury": "seat" | "number"
    readonly "youScoredBanbury": "number"
    readonly "nobody": never
    readonly "nobodyWhy": never
    readonly "broke": "seats"
    readonly "brokePromise": "whom" | "seat" | "seats"
    readonly "youBroke": never
    readonly "youBrokePromise": "whom" | "seats"
    readonly "score": never
    readonly "needs": "count"
    readonly "there": never
    readonly "behind": "count"
    readonly "leads": never
    readonly "cannot": never
    readonly "points": "count"
    readonly "wins": "count"
    readonly "pointsOf": "points" | "target"
    readonly "together": "count" | "seats"
    readonly "togetherNone": never
    readonly "roundsLeft": "count"
    readonly "lastRound": never
    readonly "past": never
    readonly "pastNone": never
    readonly "pastRound": never
    readonly "pastTotal": never
    readonly "pastWin": "number"
    readonly "pastTie": "number"
    readonly "plans": never
    readonly "plansNone": never
    readonly "plansClosed": never
    readonly "plan": "number" | "seat"
    readonly "planBehind": "names"
    readonly "planBid": "name" | "number"
    readonly "planWins": "name" | "number"
    readonly "planWinsYou": "number"
    readonly "planNobody": never
    readonly "planAgree": never
    readonly "planReleases": "alone" | "name"
    readonly "planMine": never
    readonly "planWithdraw": never
    readonly "planNew": never
    readonly "planDraft": never
    readonly "planSend": never
    readonly "planProposed": never
    readonly "planBacked": "before" | "number"
    readonly "planWithdrawn": never
    readonly "planCancel": never
    readonly "planFor": "name"
    readonly "ownWin": "number"
    readonly "ownBid": "number"
    readonly "ownTie": "number"
    readonly "padLabel": never
    readonly "padNone": never
    readonly "padChosen": "number"
    readonly "padPromised": never
    readonly "padBreaksPlan": "plan" | "number"
    readonly "padDrafted": never
    readonly "padLocked": "number"
    readonly "padUnlock": never
    readonly "padEntry": never
    readonly "ready": never
    readonly "unready": never
    readonly "readyHint": "count" | "seats"
    readonly "goOn": never
    readonly "goOnDone": never
    readonly "resultNobody": never
    readonly "resultChart": never
    readonly "resultChartWins": never
    readonly "resultTarget": never
    readonly "keyNumber": never
    readonly "keyEnter": never
    readonly "keyUnlock": never
    readonly "wordKept": "round" | "number"
    readonly "wordBroken": "round" | "number" | "bid"
    readonly "endClash": "round" | "seat" | "other" | "number"
    readonly "endMissed": "count" | "seats" | "target"
    readonly "endSpare": "count" | "seats" | "target"
    readonly "endMargin": "count" | "seat" | "seats"
    readonly "endMarginWins": "count" | "seat" | "seats"
    readonly "endLevel": "seats"
    readonly "endCrossed": "seat" | "sum" | "number" | "round"
    readonly "endEmpty": "count" | "rounds"
    readonly "endMost": "count" | "target"
    readonly "endLed": "seats" | "round"
    readonly "endLast": "seats"
    readonly "endOnly": "seats"
  }
}

export interface SharesTexts {
  readonly lines: "shares.round" | "shares.autoMarks" | "shares.markCounted" | "shares.markDrawn" | "shares.autoBids" | "shares.bid" | "shares.noBid" | "shares.starts" | "shares.highest" | "shares.ended" | "shares.out" | "shares.stuck" | "shares.auto" | "shares.played" | "shares.free" | "shares.discarded" | "shares.drawUp" | "shares.market" | "shares.marketClosed" | "shares.added" | "shares.removed" | "shares.lapsed" | "shares.rolled" | "shares.again" | "shares.adjusted" | "shares.chance" | "shares.inVain" | "shares.took" | "shares.tookCard" | "shares.swapped" | "shares.drew" | "shares.drewCard" | "shares.drewOpen" | "shares.declined" | "shares.passed" | "shares.offered" | "shares.countered" | "shares.traded" | "shares.exchanged" | "shares.showed" | "shares.showedAll" | "shares.won" | "timeControl.extended" | "timeControl.lastCall" | "timeControl.away" | "timeControl.back" | "offer.declined" | "offer.gone" | "offer.lapsed" | "peek.began" | "peek.ended" | "promise.made" | "promise.kept" | "promise.broken" | "promise.broken_by_bot" | "promise.lapsed"
  readonly phrases: "shares.say.agreed" | "shares.say.no" | "shares.say.raiseA" | "shares.say.raiseB" | "shares.say.raiseC" | "shares.say.raiseD" | "shares.say.raiseE" | "shares.say.lowerA" | "shares.say.lowerB" | "shares.say.lowerC" | "shares.say.lowerD" | "shares.say.lowerE" | "shares.say.leaveA" | "shares.say.leaveB" | "shares.say.leaveC" | "shares.say.leaveD" | "shares.say.leaveE" | "shares.say.whoHasHearts" | "shares.say.iHelp" | "shares.say.thanks" | "shares.say.traitor" | "shares.say.wellPlayed" | "shares.say.hurry" | "shares.say.spiedA" | "shares.say.spiedB" | "shares.say.spiedC" | "shares.say.spiedD" | "shares.say.spiedE" | "shares.say.spiedHearts" | "shares.say.spiedSpades" | "shares.say.spiedNothing" | "shares.say.iHoldA" | "shares.say.iHoldB" | "shares.say.iHoldC" | "shares.say.iHoldD" | "shares.say.iHoldE" | "shares.say.iTakeA" | "shares.say.iTakeB" | "shares.say.iTakeC" | "shares.say.iTakeD" | "shares.say.iTakeE"
  readonly ui: {
    readonly "companyA": never
    readonly "companyB": never
    readonly "companyC": never
    readonly "companyD": never
    readonly "companyE": never
    readonly "floorL": never
    readonly "floorM": never
    readonly "floorS": never
    readonly "supplyL": "count"
    readonly "supplyM": "count"
    readonly "supplyS": "count"
    readonly "suitH": never
    readonly "suitS": never
    readonly "suitC": never
    readonly "suitD": never
    readonly "rankJ": never
    readonly "rankQ": never
    readonly "rankK": never
    readonly "rankA": never
    readonly "card": "rank" | "suit"
    readonly "shares": "count" | "company"
    readonly "share": "company"
    readonly "nothing": never
    readonly "hand": never
    readonly "tracker": never
    readonly "whatHand": never
    readonly "whatTracker": never
    readonly "chance1": never
    readonly "chance2": never
    readonly "chance3": never
    readonly "chance4": never
    readonly "chance5": never
    readonly "chance6": never
    readonly "autoSelect": never
    readonly "autoTurn": never
    readonly "autoLapse": never
    readonly "autoChance": never
    readonly "autoStays": never
    readonly "autoDraw": never
    readonly "autoDecline": never
    readonly "round": "round" | "rounds"
    readonly "cardCount": "count"
    readonly "actionsLeft": "count"
    readonly "points": "points"
    readonly "towers": never
    readonly "towersHint": never
    readonly "floors": "count"
    readonly "pips": "count"
    readonly "place1": never
    readonly "place2": never
    readonly "place3": never
    readonly "place4": never
    readonly "place5": never
    readonly "placeTied": "place"
    readonly "tower": "company" | "size" | "place" | "prize"
    readonly "towerTied": "company" | "size" | "place" | "tied" | "prize"
    readonly "towerTop": "floor"
    readonly "towerYours": "count"
    readonly "towerOwn": "count"
    readonly "towerWould": "size" | "prize"
    readonly "summary": "round" | "changes"
    readonly "summaryNone": "round"
    readonly "summarySaid": "change" | "round" | "names"
    readonly "supply": never
    readonly "supplyNext": never
    readonly "supplyNone": never
    readonly "middle": never
    readonly "deckSaid": "count"
    readonly "discardPile": never
    readonly "discardLook": "count"
    readonly "discardNone": never
    readonly "discardOrder": never
    readonly "playedBy": "you" | "name" | "card"
    readonly "playedHearts": "you" | "name" | "card"
    readonly "playedSpades": "you" | "name" | "card"
    readonly "playedClubs": "you" | "name" | "card"
    readonly "playedDiamonds": "you" | "name" | "card"
    readonly "openedMarket": "you" | "name" | "card"
    readonly "playedLast": "what"
    readonly "playedFree": never
    readonly "playedMarket": never
    readonly "nothingPlayed": never
    readonly "floorsLeft": "count"
    readonly "looksLeft": "count"
    readonly "die": "number"
    readonly "chanceFor": "you" | "name" | "effect"
    readonly "looking": "you" | "name" | "yours" | "other" | "what"
    readonly "lookingAbout": "you" | "name"
    readonly "swapped": "names"
    readonly "players": never
    readonly "starts": never
    readonly "out": never
    readonly "outSaid": never
    readonly "locked": never
    readonly "offered": "card"
    readonly "offeredNone": never
    readonly "ownTracker": never
    readonly "ownTrackerAbout": never
    readonly "trackerOf": "name"
    readonly "trackerRow": "count" | "company"
    readonly "trackerRounds": "count" | "rounds"
    readonly "trackerTraded": "change"
    readonly "trackerNoted": never
    readonly "trackerSum": never
    readonly "trackerTrade": never
    readonly "estimate": never
    readonly "estimateAbout": never
    readonly "estimateRest": "count"
    readonly "estimateFull": never
    readonly "estimateOver": "count"
    readonly "estimatePrize": never
    readonly "estimateYours": never
    readonly "estimateOthers": never
    readonly "estimateOpen": never
    readonly "estimateValue": never
    readonly "estimateSum": never
    readonly "estimateGuess": "company"
    readonly "estimateTotal": never
    readonly "estimateForget": never
    readonly "estimateLocked": never
    readonly "truth": never
    readonly "truthShow": never
    readonly "truthAll": never
    readonly "truthAsk": "names"
    readonly "truthAskAll": never
    readonly "truthShown": never
    readonly "truthChoose": never
    readonly "truthAbout": never
    readonly "truthNone": never
    readonly "truthNews": never
    readonly "truthAfter": "round"
    readonly "truthToAll": never
    readonly "truthToYou": never
    readonly "trades": never
    readonly "tradesNone": never
    readonly "tradeRound": "round"
    readonly "tradeSaid": "give" | "back"
    readonly "lookTitle": "name" | "what"
    readonly "lookLocked": never
    readonly "lookStop": never
    readonly "lookEmpty": never
    readonly "lookTake": never
    readonly "aid": never
    readonly "aidHearts": never
    readonly "aidSpades": never
    readonly "aidClubs": never
    readonly "aidDiamonds": never
    readonly "aidTimes": never
    readonly "aidAdjust": never
    readonly "aidActions": never
    readonly "aidMarket": never
    readonly "aidChance": never
    readonly "aid1": never
    readonly "aid2": never
    readonly "aid3": never
    readonly "aid4": never
    readonly "aid5": never
    readonly "aid6": never
    readonly "aidTower": never
    readonly "aidWorth": never
    readonly "aidKeys": never
    readonly "yourHand": never
    readonly "handNone": never
    readonly "actionPlayed": "name" | "card"
    readonly "actionTowers": "name" | "card" | "changes"
    readonly "actionRolled": "name" | "card" | "effect"
    readonly "actionSwapped": "name" | "card" | "names"
    readonly "actionTook": "name" | "card" | "other"
    readonly "actionLooked": "name" | "card" | "yours" | "other" | "what"
    readonly "actionMarket": "name" | "card"
    readonly "actionDiscarded": "name" | "cards"
    readonly "actionOut": "names" | "count"
    readonly "actionDrew": "count" | "name"
    readonly "lostCard": "name" | "card"
    readonly "lostHand": "name" | "count" | "other"
    readonly "lostHandTo": "name" | "other" | "count"
    readonly "passedNews": "name" | "number" | "effect"
    readonly "effectless": "effect"
    readonly "rollNews": "effect"
    readonly "waits": "name"
    readonly "waitsDecides": "name"
    readonly "waitsLook": "name"
    readonly "noted": "company"
    readonly "notedOnly": "company"
    readonly "notedNone": never
    readonly "lockCompany": "company"
    readonly "lock": never
    readonly "unlock": never
    readonly "lockedCompany": "company"
    readonly "lockedCard": "card"
    readonly "lockedNoCard": never
    readonly "lockedCount": "count" | "seats"
    readonly "bidNone": never
    readonly "bidNoted": "card"
    readonly "lockCard": "card"
    readonly "tapCard": never
    readonly "hintOneCard": never
    readonly "tapNoCards": never
    readonly "freeAction": never
    readonly "play": never
    readonly "playHearts": "count" | "card"
    readonly "playSpades": "count" | "card"
    readonly "playClubs": "count" | "card"
    readonly "playDiamonds": "card"
    readonly "playAdjust": "count" | "card"
    readonly "playWasted": never
    readonly "playAnyway": never
    readonly "anyway": "action"
    readonly "chanceChart": never
    readonly "playNot": never
    readonly "discard": never
    readonly "discardWhich": never
    readonly "discardThese": "count"
    readonly "keepCards": never
    readonly "market": never
    readonly "marketThis": "card"
    readonly "marketHint": never
    readonly "drawUp": never
    readonly "drawUpSaid": never
    readonly "drawUpFree": never
    readonly "endTurn": never
    readonly "endTurnOut": never
    readonly "endTurnKeeps": "count"
    readonly "decline": never
    readonly "costFree": never
    readonly "keeps": "count"
    readonly "skips": never
    readonly "chooseTower": never
    readonly "chooseTowerOff": never
    readonly "addTo": "company"
    readonly "removeFrom": "company"
    readonly "add": never
    readonly "remove": never
    readonly "done": never
    readonly "doneLeft": "count"
    readonly "whom": never
    readonly "atWhat": never
    readonly "peek": never
    readonly "lookAt": "name" | "what"
    readonly "chooseRoll": never
    readonly "rolled": "number" | "effect"
    readonly "rollNone": "number"
    readonly "rollAs": "own" | "number" | "effect"
    readonly "rollOwn": never
    readonly "roll1": never
    readonly "roll2": never
    readonly "roll3": never
    readonly "roll4": never
    readonly "roll5": never
    readonly "roll6": never
    readonly "rollTake": "number"
    readonly "rollVain": never
    readonly "take": never
    readonly "takeFrom": "name"
    readonly "takeCard": "card"
    readonly "swap": never
    readonly "swapThese": "names"
    readonly "letRoll": "name"
    readonly "letRollNobody": never
    readonly "drawDeck": "count"
    readonly "drawOpen": "card"
    readonly "drawOpenNone": never
    readonly "drawLeft": "count"
    readonly "drawDone": never
    readonly "marketYours": never
    readonly "marketWith": "name"
    readonly "marketDeals": never
    readonly "marketClose": never
    readonly "marketNone": never
    readonly "marketOver": never
    readonly "shelfShares": never
    readonly "resultCompanies": never
    readonly "resultCompany": never
    readonly "resultPlace": never
    readonly "resultPrize": never
    readonly "resultClaimed": never
    readonly "resultValue": never
    readonly "resultLost": never
    readonly "resultScores": never
    readonly "resultHolders": never
    readonly "resultTrackers": never
    readonly "resultHand": "cards"
    readonly "resultNoHand": never
    readonly "scoreSaid": "name" | "points" | "parts"
    readonly "scorePart": "company" | "points"
    readonly "holdersSaid": "company" | "parts"
    readonly "holdersPart": "name" | "count"
    readonly "holdersNone": never
    readonly "exactly": "whole" | "top" | "bottom"
    readonly "choiceCard": "card"
    readonly "keyCard": never
    readonly "keyArrows": never
    readonly "keyEnter": never
    readonly "keyEscape": never
    readonly "endMargin": "count" | "seat" | "seats" | "points"
    readonly "endLevel": "seats" | "points"
    readonly "endFloor": "more" | "company" | "left" | "seats"
    readonly "endSafe": never
    readonly "endCompany": "all" | "company" | "seat" | "points" | "held" | "other" | "count" | "gap"
  }
}

export interface SubdivisionTexts {
  readonly lines: "subdivision.parks" | "subdivision.began" | "subdivision.park" | "subdivision.placed" | "subdivision.auto" | "subdivision.passed" | "subdivision.free" | "subdivision.stuck" | "subdivision.won" | "timeControl.extended" | "timeControl.lastCall" | "timeControl.away" | "timeControl.back" | "promise.made" | "promise.kept" | "promise.broken" | "promise.broken_by_bot" | "promise.lapsed"
  readonly phrases: "subdivision.say.niceMove" | "subdivision.say.myStreet" | "subdivision.say.ouch" | "subdivision.say.thinking" | "subdivision.say.hurry" | "subdivision.say.wellPlayed" | "subdivision.say.thanks" | "subdivision.say.oops" | "subdivision.say.agreed" | "subdivision.say.noDeal" | "subdivision.say.peace" | "subdivision.say.leaveMe" | "subdivision.say.stopLeader" | "subdivision.say.brokeWord"
  readonly ui: {
    readonly "setting": "count"
    readonly "placing": "count"
    readonly "board": "size"
    readonly "boardHint": never
    readonly "squareFree": "square"
    readonly "squareFits": "square" | "pips"
    readonly "squareTarget": "about"
    readonly "squareAsked": "square" | "pips"
    readonly "squareMayPark": "square"
    readonly "squarePark": "square"
    readonly "squareGarden": "square" | "name"
    readonly "square3": "square" | "name"
    readonly "square2": "square" | "name"
    readonly "square1": "square" | "name"
    readonly "squareCrowd": "count" | "about" | "ones"
    readonly "squareNewest": "about"
    readonly "squareNone": never
    readonly "marks": never
    readonly "marksAbout": never
    readonly "marksGarden": never
    readonly "totals": never
    readonly "seat": never
    readonly "inPips": never
    readonly "inGroups": never
    readonly "inCrowds": never
    readonly "inParks": never
    readonly "total": never
    readonly "wouldBe": "total" | "after"
    readonly "leftSaid": "name" | "threes" | "twos" | "ones"
    readonly "leftNone": "name"
    readonly "passedTag": never
    readonly "passes": "size" | "name"
    readonly "scorePassed": "total"
    readonly "sizes": never
    readonly "size3": "left"
    readonly "size2": "left"
    readonly "size1": "left"
    readonly "sizeFitsNot": "size"
    readonly "tapSquare": never
    readonly "tapPark": never
    readonly "placeOn": "pips" | "square"
    readonly "parkOn": "square"
    readonly "asking": never
    readonly "lessonSize": "pips"
    readonly "nearOwn": "count" | "squares"
    readonly "change": "name" | "before" | "after"
    readonly "reason": "about" | "change"
    readonly "reasonGroups": never
    readonly "reasonCrowded": never
    readonly "reasonParks": never
    readonly "freeNow": never
    readonly "passedYou": never
    readonly "passedForGood": never
    readonly "passedAll": never
    readonly "waitFor": "name"
    readonly "aid": never
    readonly "aid3": never
    readonly "aid2": never
    readonly "aid1": never
    readonly "aidNear": never
    readonly "aidCount": never
    readonly "aidPips": never
    readonly "aidGroups": never
    readonly "aidCrowd": never
    readonly "aidGarden": never
    readonly "aidGardenPlayer": never
    readonly "aidStuck": never
    readonly "aidStuckFree": never
    readonly "aidKeys": never
    readonly "drawn": "count" | "parks"
    readonly "drawHint": never
    readonly "points": "count"
    readonly "resultChart": never
    readonly "resultBoard": never
    readonly "chartPips": never
    readonly "chartParks": never
    readonly "chartGroups": never
    readonly "chartCrowded": never
    readonly "chartSaid": "name" | "pips" | "parks" | "groups" | "crowded" | "total"
    readonly "keySize": never
    readonly "keyMove": never
    readonly "choiceSize": "pips"
    readonly "choiceMarked": "square"
    readonly "keyPlace": never
    readonly "endLead": "count" | "by" | "pips" | "square" | "seat"
    readonly "endLeadYours": "count" | "pips" | "square"
    readonly "endLeadYou": "count" | "by" | "pips" | "square"
    readonly "endLeadLast": "by" | "pips" | "square" | "seat"
    readonly "endLeadLastYours": "pips" | "square"
    readonly "endLeadLastYou": "by" | "pips" | "square"
    readonly "endPips": "seat" | "count" | "other" | "theirs"
    readonly "endGroups": "seat" | "count" | "other" | "theirs"
    readonly "endCrowds": "seat" | "count" | "other" | "theirs"
    readonly "endParks": "seat" | "count" | "other" | "theirs"
    readonly "endPipsYours": "count" | "other" | "theirs"
    readonly "endPipsYou": "seat" | "count" | "theirs"
    readonly "endGroupsYours": "count" | "other" | "theirs"
    readonly "endGroupsYou": "seat" | "count" | "theirs"
    readonly "endCrowdsYours": "count" | "other" | "theirs"
    readonly "endCrowdsYou": "seat" | "count" | "theirs"
    readonly "endParksYours": "count" | "other" | "theirs"
    readonly "endParksYou": "seat" | "count" | "theirs"
    readonly "endSeveral": "count" | "parts"
    readonly "partPips": never
    readonly "partGroups": never
    readonly "partCrowds": never
    readonly "partParks": never
  }
}

export interface SuckerTexts {
  readonly lines: "sucker.began" | "sucker.placed" | "sucker.opened" | "sucker.auto" | "sucker.gave" | "sucker.kept" | "sucker.only" | "sucker.forced" | "sucker.captured" | "sucker.capturedByCard" | "sucker.killed" | "sucker.pileDied" | "sucker.transferred" | "sucker.killedPrisoners" | "sucker.needy" | "sucker.refused" | "sucker.autoRefused" | "sucker.relented" | "sucker.rescued" | "sucker.fell" | "sucker.back" | "sucker.tookCard" | "sucker.cardKind" | "sucker.returned" | "sucker.tribute" | "sucker.voided" | "sucker.survived" | "sucker.loyalty" | "sucker.roundWon" | "sucker.roundLost" | "sucker.autoReady" | "sucker.won" | "sucker.nobodyWon" | "timeControl.extended" | "timeControl.lastCall" | "timeControl.away" | "timeControl.back" | "promise.made" | "promise.kept" | "promise.broken" | "promise.broken_by_bot" | "promise.lapsed"
  readonly phrases: "sucker.say.giveMeTheMove" | "sucker.say.iGiveYouTheMove" | "sucker.say.iReturnTheMove" | "sucker.say.rescueMe" | "sucker.say.iWillRescueYou" | "sucker.say.giveMeAChip" | "sucker.say.spareMyChips" | "sucker.say.iSpareYourChips" | "sucker.say.keepAwayFromThisPile" | "sucker.say.together" | "sucker.say.deal" | "sucker.say.noDeal" | "sucker.say.trustMe" | "sucker.say.whyShouldI" | "sucker.say.liar" | "sucker.say.thanks" | "sucker.say.sorry" | "sucker.say.soLong"
  readonly ui: {
    readonly "round": "round" | "rounds" | "count"
    readonly "left": "count" | "seats"
    readonly "chipCount": "count"
    readonly "roundsWon": "count"
    readonly "out": never
    readonly "piles": never
    readonly "pilesHint": never
    readonly "pilesLook": never
    readonly "pile": "pile"
    readonly "high": "count"
    readonly "newPile": never
    readonly "lensLabel": never
    readonly "lens": never
    readonly "lensOf": "a"
    readonly "pileSaid": "count" | "pile" | "names"
    readonly "pileMissing": "names"
    readonly "pileFull": never
    readonly "pileDecides": "name"
    readonly "lookCapture": "name"
    readonly "lookCaptureYou": never
    readonly "lookDies": "name"
    readonly "lookDiesYou": never
    readonly "lookFree": "name" | "names"
    readonly "lookFreeYou": "names"
    readonly "lookNext": "name" | "names"
    readonly "lookNextYou": "name"
    readonly "lookNextMine": "names"
    readonly "lookNextYouYou": never
    readonly "tapPile": never
    readonly "trail": never
    readonly "trailSaid": "names"
    readonly "trailBack": "seat" | "other"
    readonly "trailEnds": "seat"
    readonly "mine": never
    readonly "mineShort": never
    readonly "mineOut": never
    readonly "enemy": never
    readonly "ally": never
    readonly "neutral": never
    readonly "goals": never
    readonly "goalEnemy": "name"
    readonly "goalSafe": never
    readonly "goalOver": "seat"
    readonly "goalUnder": "seat"
    readonly "goalNever": "seat"
    readonly "goalPlain": never
    readonly "goalNone": "rounds"
    readonly "hands": never
    readonly "handsSaid": "name" | "chips"
    readonly "handChip": "count" | "name"
    readonly "handEmpty": never
    readonly "dead": never
    readonly "deadNone": never
    readonly "points": never
    readonly "cards": never
    readonly "cardsLeft": "count"
    readonly "cardsNone": never
    readonly "kindCapture": never
    readonly "kindReturn": never
    readonly "kindTribute": never
    readonly "kindHidden": never
    readonly "aboutCapture": "other" | "seat"
    readonly "aboutReturn": "other" | "seat"
    readonly "aboutTribute": "other" | "seat"
    readonly "cardSaid": "name" | "other" | "kind"
    readonly "cardPlayed": never
    readonly "cardVoid": never
    readonly "rescue": never
    readonly "rescueNeedy": "seat"
    readonly "rescueNeedyYou": never
    readonly "rescueBack": "seat" | "other"
    readonly "rescueBackYou": "other"
    readonly "rescueEnds": "seat"
    readonly "rescueEndsYou": never
    readonly "rescueAward": "seat"
    readonly "prisonersCount": "count"
    readonly "hasCard": never
    readonly "thinks": never
    readonly "refused": never
    readonly "noCard": never
    readonly "playsNone": "seat"
    readonly "noneInTime": "seats"
    readonly "asking": never
    readonly "hintTurn": never
    readonly "hintPile": never
    readonly "hintChip": never
    readonly "hintChoose": never
    readonly "hintKill": never
    readonly "hintRescue": "seat"
    readonly "hintNeedy": never
    readonly "hintPrisoners": never
    readonly "hintTo": never
    readonly "hintCard": never
    readonly "hintName": "seat"
    readonly "waits": "name"
    readonly "waitsRescue": never
    readonly "waitsSaved": never
    readonly "waitsOut": never
    readonly "willNext": "seat"
    readonly "willNextYou": never
    readonly "willThreaten": "count" | "seat" | "pile"
    readonly "willRisk": "seat" | "pile"
    readonly "willRiskAlone": "seat" | "pile"
    readonly "willChoose": "seats"
    readonly "willForce": "seat"
    readonly "willForceYou": never
    readonly "willCapture": "seat"
    readonly "willCaptureYou": never
    readonly "willDie": "count"
    readonly "willTake": "a" | "count"
    readonly "willTakeOwn": "count"
    readonly "willGive": "count" | "seat" | "a"
    readonly "willGiveBack": "count" | "seat"
    readonly "willKill": "count" | "a"
    readonly "willSave": "seat"
    readonly "willReturn": "seat"
    readonly "willPay": "seat" | "a"
    readonly "willNeed": "seat"
    readonly "willAsk": "seats"
    readonly "willBack": "seat" | "other"
    readonly "willBackYou": "seat"
    readonly "willFall": "seats"
    readonly "willThen": "seat"
    readonly "willCard": "seat"
    readonly "willEnd": never
    readonly "willRefuseLast": "seat"
    readonly "willRefuse": never
    readonly "chips": never
    readonly "slotChip": "name" | "count"
    readonly "slotNone": "name"
    readonly "slotTo": "count" | "name"
    readonly "slotNot": "name"
    readonly "receivers": never
    readonly "whoNext": never
    readonly "whichDies": never
    readonly "whichGiven": never
    readonly "whichNamed": never
    readonly "yourPrisoners": never
    readonly "yourCards": never
    readonly "cardOf": "kind" | "name"
    readonly "kill": never
    readonly "refuse": never
    readonly "refuseAhead": never
    readonly "refuseNow": never
    readonly "relent": never
    readonly "youRefused": never
    readonly "howMany": never
    readonly "toPrisoners": never
    readonly "toCards": never
    readonly "toMove": never
    readonly "withCard": never
    readonly "place": never
    readonly "placeOn": "pile"
    readonly "placeNew": never
    readonly "placeCard": "pile"
    readonly "give": never
    readonly "giveTo": "name"
    readonly "giveSelf": never
    readonly "killChip": never
    readonly "killOf": "name"
    readonly "killOwn": never
    readonly "save": never
    readonly "saveThem": "name"
    readonly "handOver": "count" | "name"
    readonly "killCount": "count"
    readonly "playCard": never
    readonly "goOn": never
    readonly "goOnDone": never
    readonly "readyCount": "count" | "seats"
    readonly "winners": never
    readonly "winAlone": "seat"
    readonly "winBoth": "other" | "seat"
    readonly "winNone": "other" | "seat"
    readonly "winOther": "other" | "seat"
    readonly "winAloneYou": never
    readonly "winBothYou": "other"
    readonly "winNoneYou": "other"
    readonly "winOtherYou": "other"
    readonly "winAloneLast": "seat"
    readonly "winBothLast": "seat"
    readonly "winNoneLast": "seat"
    readonly "winOtherLast": "seat"
    readonly "fellYou": never
    readonly "killedYours": "count" | "seat"
    readonly "needyYou": never
    readonly "fallStage": never
    readonly "fallStageAlone": never
    readonly "fallTitle": never
    readonly "fallGave": "other"
    readonly "fallOnly": never
    readonly "fallForced": never
    readonly "fallBack": never
    readonly "fallSpent": never
    readonly "fallKept": never
    readonly "fallUnknown": never
    readonly "fallRefused": "seats"
    readonly "fallNobody": never
    readonly "fallAlone": never
    readonly "fallOver": "rounds"
    readonly "fallAlly": "rounds" | "ally"
    readonly "fallEarly": never
    readonly "fallNext": never
    readonly "rows": never
    readonly "rowSaid": "name" | "enemy" | "ally"
    readonly "deck": never
    readonly "nextChips": never
    readonly "nextFromBase": never
    readonly "nextFromLast": never
    readonly "order": never
    readonly "resultNobody": never
    readonly "resultRounds": never
    readonly "resultRound": never
    readonly "resultChart": never
    readonly "resultChartOne": "name" | "count" | "most" | "last"
    readonly "chartHands": never
    readonly "chartPiles": never
    readonly "chartFell": never
    readonly "chartCaptured": never
    readonly "chartDied": never
    readonly "aid": never
    readonly "aidMissing": never
    readonly "aidFull": never
    readonly "aidAgain": never
    readonly "aidCapture": never
    readonly "aidNeed": never
    readonly "aidDead": never
    readonly "aidCards": never
    readonly "aidWin": never
    readonly "aidWinAlone": never
    readonly "aidWinAlly": never
    readonly "aidWinEnemy": never
    readonly "aidWinBoth": never
    readonly "aidKeys": never
    readonly "keySlot": never
    readonly "choicePile": "pile"
    readonly "choiceNew": never
    readonly "choiceOwn": never
    readonly "choiceChip": "name"
    readonly "keyNew": never
    readonly "keyArrows": never
    readonly "keyPrisoners": never
    readonly "keyKill": never
    readonly "keyEnter": never
    readonly "keyEscape": never
    readonly "endFewest": "count" | "seat" | "move"
    readonly "endFell": "count" | "seats" | "seat"
    readonly "endFellYou": "count" | "seats"
    readonly "endFellLast": "count" | "seats" | "seat"
    readonly "endRefused": "other" | "seat"
    readonly "endRefusedYou": "other"
    readonly "endRefusedLast": "seat"
    readonly "endRoundAhead": "seat" | "seats"
    readonly "endLevel": "count" | "seats"
    readonly "endBoth": "other" | "seat"
    readonly "endNone": "seat" | "other"
    readonly "endOther": "seat" | "other"
    readonly "endBothYou": "other"
    readonly "endNoneYou": "other"
    readonly "endOtherYou": "other"
    readonly "endBothLast": "seat"
    readonly "endNoneLast": "seat"
    readonly "endOtherLast": "seat"
    readonly "endNoRound": "count"
    readonly "endLast": "seats"
    readonly "brokeOut": "name"
    readonly "brokeOutYou": never
    readonly "endSettled": "round" | "rounds" | "seats"
  }
}

export interface TakeoverTexts {
  readonly lines: "takeover.began" | "takeover.picked" | "takeover.pickedCoin" | "takeover.drew" | "takeover.auto" | "takeover.autoFlips" | "takeover.play" | "takeover.merged" | "takeover.special" | "takeover.subsumed" | "takeover.flipped" | "takeover.yourFlip" | "takeover.cashedOut" | "takeover.youCashedOut" | "takeover.passed" | "takeover.offered" | "takeover.countered" | "takeover.traded" | "takeover.swapped" | "takeover.noMergers" | "takeover.allPassed" | "takeover.won" | "timeControl.extended" | "timeControl.lastCall" | "timeControl.away" | "timeControl.back" | "offer.declined" | "offer.gone" | "offer.lapsed" | "promise.made" | "promise.kept" | "promise.broken" | "promise.broken_by_bot" | "promise.lapsed"
  readonly phrases: "takeover.say.makeAnOffer" | "takeover.say.needCash" | "takeover.say.needNull" | "takeover.say.spareMine" | "takeover.say.iWillSpare" | "takeover.say.tooMuch" | "takeover.say.deal" | "takeover.say.noDeal" | "takeover.say.letUsPass" | "takeover.say.hostile" | "takeover.say.thanks" | "takeover.say.wellPlayed" | "takeover.say.oops" | "takeover.say.hurry"
  readonly ui: {
    readonly "autoPassed": "seat"
    readonly "S": never
    readonly "M": never
    readonly "C": never
    readonly "A": never
    readonly "coin": "suit" | "value"
    readonly "nothing": never
    readonly "stockOf": "coin"
    readonly "cashOf": "coin"
    readonly "wishNull": never
    readonly "wishCoin": never
    readonly "wishCash": "value"
    readonly "wishStock": "suit"
    readonly "picking": "number" | "picks"
    readonly "flipping": never
    readonly "playing": "count" | "turn"
    readonly "coinCount": "count"
    readonly "board": never
    readonly "boardHint": never
    readonly "boardTouch": never
    readonly "boardLook": never
    readonly "peek": never
    readonly "lookPlay": never
    readonly "squareEmpty": never
    readonly "squareTile": "coin" | "worth"
    readonly "squareStack": "coin" | "height" | "worth"
    readonly "squareOwn": never
    readonly "squareOwner": "name"
    readonly "squareMoves": never
    readonly "targetFree": never
    readonly "targetCost": "cost"
    readonly "targetNull": never
    readonly "targetNullCost": "cost"
    readonly "targetNotYet": never
    readonly "pairMakes": "source" | "onto" | "cost" | "worth"
    readonly "pairNot": "source" | "onto"
    readonly "hand": never
    readonly "handYet": never
    readonly "handNone": never
    readonly "stocks": never
    readonly "cash": never
    readonly "inStocks": "sum"
    readonly "inCash": "sum"
    readonly "total": "count"
    readonly "ownStock": "coin" | "worth"
    readonly "ownCash": "coin"
    readonly "flipStock": "coin"
    readonly "flipCash": "coin"
    readonly "asStock": never
    readonly "asCash": never
    readonly "draftTable": never
    readonly "coming": never
    readonly "toCome": "count"
    readonly "valueLeft": "value" | "count"
    readonly "coinTaken": "coin"
    readonly "take": never
    readonly "takeValue": never
    readonly "takeCoin": never
    readonly "takeOneOf": never
    readonly "takeOneOfSaid": "suits"
    readonly "takeThis": "value"
    readonly "takeNamed": "coin"
    readonly "waitPick": "count" | "name"
    readonly "takeRest": never
    readonly "takeRestHow": never
    readonly "restNow": never
    readonly "restTaken": "count"
    readonly "takeMyself": never
    readonly "waitPickLast": "name"
    readonly "waitTurn": "name"
    readonly "markKept": never
    readonly "stocksCount": "count"
    readonly "cashCount": "count"
    readonly "worthNow": "sum"
    readonly "toPayWith": "sum"
    readonly "toPayWithNulls": "count" | "sum"
    readonly "lock": "count"
    readonly "lockNone": never
    readonly "suggest": never
    readonly "unlock": never
    readonly "lockedCount": "count" | "seats"
    readonly "tapSource": never
    readonly "startAgain": never
    readonly "sinceTurn": "losses"
    readonly "swallowedYours": "name" | "coin" | "before" | "after"
    readonly "swallowedNow": "name" | "coin"
    readonly "tapOnto": never
    readonly "asking": never
    readonly "under": "coin"
    readonly "makes": "coin" | "worth"
    readonly "flips": "coin"
    readonly "dueCover": "coin"
    readonly "dueGrow": "coin"
    readonly "lost": "count"
    readonly "free": never
    readonly "payWith": never
    readonly "payCost": "cost"
    readonly "payNull": never
    readonly "payThis": "coin"
    readonly "discard": "coin"
    readonly "lightUp": "coin"
    readonly "noCash": never
    readonly "merge": never
    readonly "mergeFree": never
    readonly "mergePay": "sum"
    readonly "mergeNull": never
    readonly "mergePayNull": "sum"
    readonly "usesNull": never
    readonly "tooPoor": "sum" | "cost"
    readonly "tooLittle": "sum" | "cost"
    readonly "lessonPair": "source" | "onto"
    readonly "yourTotal": never
    readonly "totalChange": "before" | "after"
    readonly "pass": never
    readonly "passAnyway": never
    readonly "passEnds": never
    readonly "passSoon": "count"
    readonly "cashOut": never
    readonly "cashBack": never
    readonly "cashTitle": never
    readonly "cashHint": never
    readonly "cashMakes": "before" | "after"
    readonly "cashThis": "coin" | "worth" | "value"
    readonly "cashCountOut": "count"
    readonly "others": never
    readonly "passed": never
    readonly "turnNumber": "turn"
    readonly "lapsed": never
    readonly "passedCount": "passed" | "seats"
    readonly "offerMakes": "name" | "before" | "after" | "cash" | "cashAfter"
    readonly "atLeast": "worth"
    readonly "tradeMakes": "before" | "after" | "cash" | "cashAfter"
    readonly "nullJumps": never
    readonly "turnThis": "turn"
    readonly "turnNext": "turn"
    readonly "drafted": never
    readonly "faceStock": "suit"
    readonly "faceCash": "value"
    readonly "spent": never
    readonly "spentNone": never
    readonly "trades": never
    readonly "tradesNone": never
    readonly "aid": never
    readonly "aidFree": never
    readonly "aidCost": never
    readonly "aidNull": never
    readonly "aidUnder": never
    readonly "aidCount": never
    readonly "aidStock": never
    readonly "aidCash": never
    readonly "aidCashOut": never
    readonly "aidExact": never
    readonly "aidEnd": never
    readonly "aidKeys": never
    readonly "points": "count"
    readonly "resultHands": never
    readonly "resultBoard": never
    readonly "resultChart": never
    readonly "chartSaid": "name" | "stocks" | "cash" | "total"
    readonly "noCoins": never
    readonly "choicePair": "source" | "onto"
    readonly "choiceCoins": "coins"
    readonly "keyValue": never
    readonly "keyMove": never
    readonly "keyEnter": never
    readonly "keyEscape": never
    readonly "shelfCash": never
    readonly "shelfStock": never
    readonly "shelfAny": never
    readonly "endMargin": "count" | "seat" | "seats"
    readonly "endLevel": "seats" | "count"
    readonly "endGrowth": "coin" | "value" | "worth" | "seat"
    readonly "endSame": "seat" | "other"
    readonly "endEven": "seat" | "count" | "other"
    readonly "endCash": "seat" | "count" | "other" | "less"
    readonly "endStocks": "seat" | "count" | "other" | "less"
  }
}

/** The UI strings of every game in the registry, by key. */
export interface TextsOf {
  readonly almost: AlmostTexts
  readonly shares: SharesTexts
  readonly subdivision: SubdivisionTexts
  readonly sucker: SuckerTexts
  readonly takeover: TakeoverTexts
}
