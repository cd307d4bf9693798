-- Replaces an entry of a ledger (hub/store/ledger.py), or removes it.
-- KEYS: the ids by time (sorted set), the entries by id (hash)
-- ARGV: id, the new entry ("": remove it)
-- Returns 1, or 0 if there is no such entry.
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 then
  return 0
end
if ARGV[2] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
else
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
end
return 1
