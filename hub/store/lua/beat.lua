-- Stores a hub's heartbeat: its live clock, which never runs backwards, and the marker that it is alive.
--
-- KEYS[1] hub (hash: live, url)  KEYS[2] alive (string: url)  KEYS[3] the hub's rooms (set)
-- KEYS[4] the tokens of rooms that others have taken from it, or are about to take (set)
-- KEYS[5] the rooms that others have released for it to take (set)
-- ARGV[1] live clock  ARGV[2] url  ARGV[3] ms to keep clock and rooms  ARGV[4] ms the hub stays alive
-- Answers {1: the hub was still alive, 0: it was not; {token, ...}; {room, ...}}; the tokens stay until they expire

local alive = redis.call('EXISTS', KEYS[2])
local stored = tonumber(redis.call('HGET', KEYS[1], 'live') or '-1')
if tonumber(ARGV[1]) >= stored then
  redis.call('HSET', KEYS[1], 'live', ARGV[1], 'url', ARGV[2])
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[3], ARGV[3])
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[4])
return {alive, redis.call('SMEMBERS', KEYS[4]), redis.call('SMEMBERS', KEYS[5])}
