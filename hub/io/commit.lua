-- Commits one batch of a room's commands, fenced by its owner's token.
-- Everything is checked first, then written, and nothing after the first write can fail.
--
-- KEYS[1] head   hash: token, epoch, seq, at, live, status, code, snapshot, snapped
-- KEYS[2] log    stream, ids <epoch>-<n>, field e
-- KEYS[3] talk   hash: slot -> said     } given only when there is talk or a note
-- KEYS[4] notes  hash: seat -> note     }
-- ARGV[1] tag: echoed in the answer, so that a lost or repeated answer cannot pass for another's
-- ARGV[2] token    ARGV[3] seq before    ARGV[4] seq after
-- ARGV[5] at       ARGV[6] live          ARGV[7] status     ARGV[8] snapshot ('': the stored one stays)
-- ARGV[9] number of entries    ARGV[10] of things said    ARGV[11] of notes
-- ARGV[12...] the entries, then slot and what was said, then seat and note in turn
-- Answers 4 * tag + 1: applied, + 2: already applied, + 3: fenced

local call, argv, tag = redis.call, ARGV, ARGV[1] * 4
local head, base = KEYS[1], argv[3]

local held = call('HMGET', head, 'token', 'seq')
if held[1] ~= argv[2] then return tag + 3 end
if held[2] ~= base then
  if held[2] ~= argv[4] then return tag + 3 end
  call('HSET', head, 'seq', argv[4]) -- changes nothing: a write, so that a WAIT after it covers the commit
  return tag + 2
end

local entries, talk, notes = tonumber(argv[9]), tonumber(argv[10]), tonumber(argv[11])
if talk > 0 then call('HLEN', KEYS[3]) end -- raises while nothing is written, should the key be of another type
if notes > 0 then call('HLEN', KEYS[4]) end

local at = 11
if entries > 0 then
  local log, prefix = KEYS[2], string.match(argv[2], '^%d+') .. '-'
  for n = 1, entries do -- the first one checks the stream's type and last id, and writes nothing if it fails
    call('XADD', log, prefix .. string.format('%.0f', base + n), 'e', argv[at + n])
  end
  at = at + entries
end
if argv[8] == '' then
  call('HSET', head, 'seq', argv[4], 'at', argv[5], 'live', argv[6], 'status', argv[7])
else
  call('HSET', head, 'seq', argv[4], 'at', argv[5], 'live', argv[6], 'status', argv[7],
    'snapshot', argv[8], 'snapped', argv[4])
end
for n = 1, talk do
  call('HSET', KEYS[3], argv[at + 2 * n - 1], argv[at + 2 * n])
end
at = at + 2 * talk
for n = 1, notes do
  call('HSET', KEYS[4], argv[at + 2 * n - 1], argv[at + 2 * n])
end
return tag + 1
