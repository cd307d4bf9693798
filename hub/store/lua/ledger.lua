-- Adds an entry to a ledger (hub/store/ledger.py), and drops those that are too old or too many.
-- KEYS: the ids by time (sorted set), the entries by id (hash)
-- ARGV: id, entry, its time, the time before which entries are dropped, the most entries to keep, lifetime in ms
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
local gone = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[4])
local excess = redis.call('ZCARD', KEYS[1]) - #gone - tonumber(ARGV[5])
if excess > 0 then
  gone = redis.call('ZRANGE', KEYS[1], 0, #gone + excess - 1)
end
for _, id in ipairs(gone) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[2], id)
end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
return 1
