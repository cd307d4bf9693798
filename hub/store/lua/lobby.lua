-- Writes or removes a room's summary in the lobby; an older write never replaces a newer one.
--
-- KEYS[1] lobby (hash: room -> '<epoch>-<seq> <summary>', removed: '<epoch>-<seq>')
-- KEYS[2] gone (sorted set: removed rooms by the server's time, ms)
-- ARGV[1] room  ARGV[2] epoch  ARGV[3] seq  ARGV[4] summary ('': remove)  ARGV[5] ms a removal is remembered
-- Answers 1: written, 0: the lobby has a newer one

local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local epoch, seq = tonumber(ARGV[2]), tonumber(ARGV[3])

local stored = redis.call('HGET', KEYS[1], ARGV[1])
if stored then
  local stored_epoch, stored_seq = string.match(stored, '^(%d+)-(%d+)')
  stored_epoch, stored_seq = tonumber(stored_epoch), tonumber(stored_seq)
  if stored_epoch > epoch or (stored_epoch == epoch and stored_seq > seq) then return 0 end
end
if ARGV[4] == '' then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. '-' .. ARGV[3])
  redis.call('ZADD', KEYS[2], string.format('%.0f', now_ms), ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. '-' .. ARGV[3] .. ' ' .. ARGV[4])
  redis.call('ZREM', KEYS[2], ARGV[1])
end
local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now_ms - ARGV[5]), 'LIMIT', 0, 10)
for i, room in ipairs(old) do
  redis.call('HDEL', KEYS[1], room)
  redis.call('ZREM', KEYS[2], room)
end
return 1
