-- Commits one batch of a room's commands, fenced by its owner's token.
-- Everything is checked first, then written, and nothing after the first write can fail.
--
-- KEYS[1] head   hash: token, epoch, seq, at, live, status, code, snapshot, snapped
-- KEYS[2] log    stream, ids <epoch>-<n>, field e
-- KEYS[3] talk   hash: slot -> message  } given only when there is talk or a note
-- KEYS[4] notes  hash: seat -> note     }
-- ARGV[1] token   ARGV[2] snapshot ('': the stored one stays)
-- ARGV[3] nine words in one, because each argument costs its sender time: tag (echoed in the answer, so that
--   a lost or repeated answer cannot pass for a different one), seq before, seq after, at, live, status, and
--   the numbers of entries, messages and notes that follow
-- ARGV[4...] the entries, then each slot with its message, then each seat with its note
-- Answers 4 * tag + 1: applied, + 2: already applied, + 3: fenced

local call, argv, head = redis.call, ARGV, KEYS[1]
local tag, base, seq, at, live, status, entries, talk, notes =
  string.match(argv[3], '(%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+)')
tag, entries, talk, notes = tag * 4, tonumber(entries), tonumber(talk), tonumber(notes)

local held = call('HMGET', head, 'token', 'seq')
if held[1] ~= argv[1] then return tag + 3 end
if held[2] ~= base then
  if held[2] ~= seq then return tag + 3 end
  call('HSET', head, 'seq', seq) -- changes nothing: a write, so that a WAIT after it covers the commit
  return tag + 2
end

-- HLEN raises, before anything is written, if the key has another type
local first_talk = talk > 0 and call('HLEN', KEYS[3]) == 0
local first_notes = notes > 0 and call('HLEN', KEYS[4]) == 0

local past = 3
if entries > 0 then
  local log, prefix = KEYS[2], string.match(argv[1], '^%d+') .. '-'
  for n = 1, entries do -- the first one checks the stream's type and last id, and writes nothing if it fails
    call('XADD', log, prefix .. string.format('%.0f', base + n), 'e', argv[past + n])
  end
  past = past + entries
end
if argv[2] == '' then
  call('HSET', head, 'seq', seq, 'at', at, 'live', live, 'status', status)
else
  call('HSET', head, 'seq', seq, 'at', at, 'live', live, 'status', status, 'snapshot', argv[2], 'snapped', seq)
end
for n = 1, talk do
  call('HSET', KEYS[3], argv[past + 2 * n - 1], argv[past + 2 * n])
end
past = past + 2 * talk
for n = 1, notes do
  call('HSET', KEYS[4], argv[past + 2 * n - 1], argv[past + 2 * n])
end
if first_talk or first_notes then -- a key that was just created expires with the room
  local expiry = call('PEXPIRETIME', head)
  if expiry > 0 then
    call('PEXPIREAT', KEYS[3], expiry)
    call('PEXPIREAT', KEYS[4], expiry)
  end
end
return tag + 1
