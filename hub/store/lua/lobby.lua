-- Writes or removes a room's summary in the lobby; an older write never wins over a newer one.
--
-- KEYS[1] lobby (hash: room -> '<epoch>-<seq> <summary>', removed: '<epoch>-<seq>')
-- KEYS[2] gone (sorted set: removed rooms by the server's time, ms)
-- ARGV[1] room  ARGV[2] epoch  ARGV[3] seq  ARGV[4] summary ('': remove)  ARGV[5] ms a removal is remembered
-- Answers 1: written, 0: there is a newer one

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local epoch, seq = tonumber(ARGV[2]), tonumber(ARGV[3])

local stored = redis.call('HGET', KEYS[1], ARGV[1])
if stored then
  local there, n = string.match(stored, '^(%d+)-(%d+)')
  there, n = tonumber(there), tonumber(n)
  if there > epoch or (there == epoch and n > seq) then return 0 end
end
if ARGV[4] == '' then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. '-' .. ARGV[3])
  redis.call('ZADD', KEYS[2], string.format('%.0f', now), ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. '-' .. ARGV[3] .. ' ' .. ARGV[4])
  redis.call('ZREM', KEYS[2], ARGV[1])
end
local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now - ARGV[5]), 'LIMIT', 0, 10)
for i, room in ipairs(old) do
  redis.call('HDEL', KEYS[1], room)
  redis.call('ZREM', KEYS[2], room)
end
return 1
