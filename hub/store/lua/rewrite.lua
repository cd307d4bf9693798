-- Rewrites a room of which parts must be removed: its snapshot, log, talk and notes. All or nothing.
--
-- KEYS[1] head (hash)  KEYS[2] log (stream)  KEYS[3] talk (hash)  KEYS[4] notes (hash)
-- ARGV[1] token  ARGV[2] snapshot  ARGV[3] the numbers of entries, messages and notes that follow, in one word
-- ARGV[4...] each entry with its id (none: the log stays), then each slot and each seat to remove
-- Answers 1: written, 0: another hub owns the room

local call, argv = redis.call, ARGV
if call('HGET', KEYS[1], 'token') ~= argv[1] then return 0 end
local entries, talk, notes = string.match(argv[3], '(%d+) (%d+) (%d+)')
entries, talk, notes = tonumber(entries), tonumber(talk), tonumber(notes)

call('HSET', KEYS[1], 'snapshot', argv[2])
if entries > 0 then
  local expiry = call('PEXPIRETIME', KEYS[2])
  call('DEL', KEYS[2])
  for n = 1, entries do call('XADD', KEYS[2], argv[2 * n + 2], 'e', argv[2 * n + 3]) end
  if expiry > 0 then call('PEXPIREAT', KEYS[2], expiry) end
end
local past = 3 + 2 * entries
for n = 1, talk do call('HDEL', KEYS[3], argv[past + n]) end
for n = 1, notes do call('HDEL', KEYS[4], argv[past + talk + n]) end
return 1
