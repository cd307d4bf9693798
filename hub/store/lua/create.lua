-- Creates a room, unless its id is in use.
--
-- KEYS[1] head (hash)  KEYS[2] log (stream)  KEYS[3] talk (hash)  KEYS[4] notes (hash)
-- ARGV[1] token  ARGV[2] at  ARGV[3] live  ARGV[4] status  ARGV[5] code  ARGV[6] snapshot
-- ARGV[7] ms after which a room that nobody renews is deleted (0: never)
-- Answers 1: created (or this same call created it before), 0: the id is in use

local token = redis.call('HGET', KEYS[1], 'token')
if token == ARGV[1] then
  redis.call('HSET', KEYS[1], 'token', token) -- a write, so that a WAIT after it covers the creation
  return 1
end
if token or redis.call('EXISTS', unpack(KEYS)) > 0 then return 0 end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'epoch', string.match(ARGV[1], '^%d+'), 'seq', '0',
  'at', ARGV[2], 'live', ARGV[3], 'status', ARGV[4], 'code', ARGV[5], 'snapshot', ARGV[6], 'snapped', '0')
redis.call('XADD', KEYS[2], 'MAXLEN', '0', '0-1', 'e', '') -- empty, so that the log has its expiry before its first entry
if ARGV[7] ~= '0' then
  redis.call('PEXPIRE', KEYS[1], ARGV[7])
  redis.call('PEXPIRE', KEYS[2], ARGV[7])
end
return 1
