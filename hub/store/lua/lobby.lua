-- Writes or removes a room's summary in the lobby; an older write never replaces a newer one.
-- A line stays for an hour after it was last written, and what was removed is remembered as long. Writing the
-- same line again moves it only when half of that hour is over: the order of the lobby says when a table last
-- changed, and a delayed table changes before its line does.
--
-- KEYS[1] lobby (hash: room -> '<epoch>-<seq> <summary>', removed: '<epoch>-<seq>')
-- KEYS[2] listed (sorted set: rooms with a summary by the server's time of the last write, ms)
-- KEYS[3] gone (sorted set: removed rooms by the server's time, ms)
-- ARGV[1] room  ARGV[2] epoch  ARGV[3] seq  ARGV[4] summary ('': remove)  ARGV[5] ms a line is kept
-- Answers 1: written, 0: the lobby has a newer one

local call = redis.call
local time = call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local epoch, seq = tonumber(ARGV[2]), tonumber(ARGV[3])

local stored = call('HGET', KEYS[1], ARGV[1])
if stored then
  local stored_epoch, stored_seq = string.match(stored, '^(%d+)-(%d+)')
  stored_epoch, stored_seq = tonumber(stored_epoch), tonumber(stored_seq)
  if stored_epoch > epoch or (stored_epoch == epoch and stored_seq > seq) then return 0 end
end
local version, at = ARGV[2] .. '-' .. ARGV[3], string.format('%.0f', now_ms)
if ARGV[4] == '' then
  call('HSET', KEYS[1], ARGV[1], version)
  call('ZREM', KEYS[2], ARGV[1])
  call('ZADD', KEYS[3], at, ARGV[1])
else
  local same = stored and string.match(stored, '^%S+ (.*)$') == ARGV[4]
  local listed = same and tonumber(call('ZSCORE', KEYS[2], ARGV[1]) or 0) or 0
  call('HSET', KEYS[1], ARGV[1], version .. ' ' .. ARGV[4])
  if now_ms - listed >= ARGV[5] / 2 then call('ZADD', KEYS[2], at, ARGV[1]) end
  call('ZREM', KEYS[3], ARGV[1])
end
for i = 2, 3 do -- each write adds one line and removes more, so old ones cannot pile up
  local old = call('ZRANGEBYSCORE', KEYS[i], '-inf', string.format('%.0f', now_ms - ARGV[5]), 'LIMIT', 0, 10)
  if #old > 0 then
    call('HDEL', KEYS[1], unpack(old))
    call('ZREM', KEYS[i], unpack(old))
  end
end
for i, key in ipairs(KEYS) do call('PEXPIRE', key, ARGV[5]) end
return 1
