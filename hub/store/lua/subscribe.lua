-- Adds a subscription of a person, or renews it; drops their oldest ones if there are too many.
-- KEYS: the subscriptions by id (hash), their ids by time (sorted set)
-- ARGV: id, subscription, its time, the most to keep, lifetime in ms
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
local excess = redis.call('ZCARD', KEYS[2]) - tonumber(ARGV[4])
if excess > 0 then
  for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, excess - 1)) do
    redis.call('ZREM', KEYS[2], id)
    redis.call('HDEL', KEYS[1], id)
  end
end
set_expiry(KEYS, ARGV[5])
return 1
